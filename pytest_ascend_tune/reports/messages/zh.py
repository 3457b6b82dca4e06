"""Chinese (simplified): English template -> translation with the same placeholders; WORDS: values within sentences."""

from __future__ import annotations

WORDS: dict[str, str] = {
    "nothing_valid": "全部无效",
    "regressed": "性能回退",
    "below_efficiency": "低于下限",
    "inconclusive": "无法判定",
    "no_baseline": "无基线",
    "not_comparable": "不可比",
    "improved": "有提升",
    "passed": "通过",
    "running": "搜索中",
    "converged": "已收敛",
    "stopped": "按限制停止",
    "budget_exhausted": "次数用尽",
    "space_exhausted": "空间已搜遍",
    "interrupted": "被中断",
    "build_error": "编译失败",
    "build_timeout": "编译超时",
    "crash": "崩溃",
    "timeout": "运行超时",
    "wrong_result": "结果错误",
    "out_of_memory": "内存不足",
    "finalist": "候选",
    "baseline": "基线",
    "reference": "参考内核",
    "spike": "尖峰",
    "plateau": "平台",
    "slope": "缓坡",
    "too few to tell": "太少，难以判断",
    # facts of a fingerprint; proper names stay
    "blas": "BLAS",
    "clock": "计时",
    "compiler": "编译器",
    "compiler_identity": "编译器（哈希）",
    "cores": "核数",
    "cpu": "CPU",
    "device": "设备",
    "driver": "驱动",
    "l2": "L2 状态",
    "linux": "Linux",
    "model": "模型（哈希）",
    "protocol": "测量规程",
    "soc": "芯片",
    "threads": "线程数",
    # and their values
    "AscendCL events": "AscendCL 事件",
    "chip": "芯片",
    "MSPTI kernel records": "MSPTI 内核记录",
    "cold": "冷",
    "hot": "热",
    "simulated": "模拟",
    "thread CPU time": "线程 CPU 时间",
    "unknown": "未知",
}

CATALOGUE: dict[str, str] = {
    # --- counted: one, many ---
    "{count} trial": "{count} 次试验",
    "{count} trials": "{count} 次试验",
    "{count} valid trial": "{count} 次有效试验",
    "{count} valid trials": "{count} 次有效试验",
    "{count} configuration": "{count} 个配置",
    "{count} configurations": "{count} 个配置",
    "{count} time": "{count} 次",
    "{count} times": "{count} 次",
    # --- statuses.py, labels.py, glossary.py ---
    "nothing valid": "全部无效",
    "regressed": "性能回退",
    "below the floor": "低于下限",
    "inconclusive": "无法判定",
    "no baseline": "无基线",
    "not comparable": "不可比",
    "improved": "有提升",
    "passed": "通过",
    "still running": "搜索中",
    "converged": "已收敛",
    "stopped by the user's limit": "按用户限制停止",
    "trials used up": "次数用尽",
    "whole space tried": "空间已搜遍",
    "interrupted": "被中断",
    "the kernel's code": "内核代码",
    "the platform (tool chain, driver, libraries)": "平台（工具链、驱动、库）",
    "the device's state": "设备状态",
    "the search": "搜索",
    "default": "默认",
    "baseline": "基线",
    "warm start": "热启动",
    "space-filling": "空间填充",
    "model": "模型",
    "build error": "编译失败",
    "build time-out": "编译超时",
    "crash": "崩溃",
    "time-out": "运行超时",
    "wrong result": "结果错误",
    "out of memory": "内存不足",
    "picture 1: the staircase is flat": "图一：阶梯线走平",
    "picture 1: gaps between jumps lengthen": "图一：跳升间隔变长",
    "picture 1: late dots lie under the line": "图一：后期散点都在线下",
    "picture 2: distance of the ceiling": "图二：离天花板多远",
    "model: what more trials could bring": "模型：继续搜索还能带来多少",
    "trial": "试验",
    "One configuration built, checked and measured in the search. Its rate is a raw search value.": (
        "搜索中编译、校验并测量的一个配置；其速率是原始搜索值。"
    ),
    "confirmed": "确认值",
    "The search's winner measured again on fresh samples, interleaved with what it is compared to. Only "
    "confirmed numbers are reported, stored and judged: the best raw value of a search is the luckiest of many.": (
        "搜索的优胜者用新样本重测，并与比较对象交错进行。只有确认值会被报告、保存和判定："
        "搜索中的最高原始值只是众多测量里最走运的一个。"
    ),
    "rate": "速率",
    "2 m n k operations divided by the time of one call, in TFLOPS (TOPS for int8). The time is the mean of "
    "the fastest quarter of the samples.": (
        "2·m·n·k 次运算除以一次调用的时间，单位 TFLOPS（int8 为 TOPS）。时间取最快四分之一样本的均值。"
    ),
    "interval": "区间",
    "Bootstrap interval of the confirmed rate: where it would be expected again in the same minute. Of a simulated "
    "rate: the band that nine of ten published measurements lie in.": (
        "确认速率的自助法区间：同一分钟内再测时预期所在的范围。模拟速率：已发表测量的十分之九所在的范围。"
    ),
    "share of the peak": "峰值占比",
    "Confirmed rate divided by the highest possible rate of the device for this dtype.": (
        "确认速率除以该设备在此数据类型下的最高可能速率。"
    ),
    "What an earlier run recorded on request: configuration, exact sources, numbers. Its own build is measured "
    "again today, in the same minute as this run's winner.": (
        "先前某次运行按要求记录的内容：配置、源码原文和数值。它自己的构建会在今天与本次优胜者在同一分钟内重测。"
    ),
    "change": "变化",
    "Confirmed rate against the baseline: negative is slower. The gate fails beyond the allowed drop.": (
        "确认速率相对基线的变化：负数表示变慢。超过允许降幅则门禁失败。"
    ),
    "Every line of the checklist holds: more trials are not expected to bring anything worth their time.": (
        "清单每一行都成立：继续试验预计不值得所花的时间。"
    ),
    "spike, plateau": "尖峰、平台",
    "Fewer than {spike:.0%} of the valid trials within {near:.0%} of the best: a rare spike. More than {plateau:.0%}: "
    "a wide plateau.": (
        "与最佳值相差 {near:.0%} 以内的有效试验少于 {spike:.0%}：罕见尖峰；多于 {plateau:.0%}：宽平台。"
    ),
    "roofline": "屋顶线",
    "The rate that compute units (flat) and memory (slope) allow for the operations per byte of a problem.": (
        "在给定的每字节运算量下，计算单元（水平线）与内存（斜线）所允许的速率。"
    ),
    "parameter effect": "参数影响",
    "Share of the variation of log time that the search's model explains by one parameter.": (
        "搜索模型用某一参数所解释的对数时间变化的份额。"
    ),
    # --- sentences.py ---
    "No problem was tuned.": "没有调优任何问题。",
    "Nothing was measured of what was asked for (problems: {missed}).": "所要求的都没有测量（问题数：{missed}）。",
    "{passed} of {total} problems passed the gate; not measured: {missed}.": (
        "{total} 个问题中有 {passed} 个通过门禁；未测量：{missed} 个。"
    ),
    "{verdict} Not measured: {missed} more.": "{verdict}另有 {missed} 个未测量。",
    "not measured": "未测量",
    "why": "原因",
    "{failing} of {total} problems failed the gate; the worst is {id}: {status}.": (
        "{total} 个问题中有 {failing} 个未通过门禁；最差的是 {id}：{status}。"
    ),
    "All {total} problems passed the gate.": "全部 {total} 个问题通过门禁。",
    "template {name}: this kernel is part of pytest-ascend-tune, not of your repository; to gate one of your own, copy "
    "it with: ascend-tune init --template {name}": (
        "模板 {name}：这个内核属于 pytest-ascend-tune，不属于你的仓库；要对自己的内核设门禁，用这条命令复制它："
        "ascend-tune init --template {name}"
    ),
    "template": "模板",
    "{variant} is {share:.1%} below the best known, {rate:.4g} {unit} ({source})": (
        "{variant} 比已知最佳 {rate:.4g} {unit} 低 {share:.1%}（{source}）"
    ),
    "{variant} is as fast as the best known, {rate:.4g} {unit} ({source})": (
        "{variant} 与已知最佳 {rate:.4g} {unit} 一样快（{source}）"
    ),
    "allowed below the baseline of each run": "各次运行基线以下的允许范围",
    "{gain:.0%} faster{to} than the stored numbers of {date}, within the noise ({noise:.0%})": (
        "比 {date} 的存储数值快 {gain:.0%}{to}，在噪声（{noise:.0%}）以内"
    ),
    "{drop} slower than the baseline of {date}: {now} against {then} {unit} ({low} to {high}, {allowed} allowed)": (
        "比 {date} 的基线慢 {drop}：{now} 对 {then} {unit}（{low} 至 {high}，允许 {allowed}）"
    ),
    "{files} (since {date})": "{files}（自 {date} 以来）",
    "changed": "已改动",
    "see more": "更多",
    "another {name}, or other options of it, with the same version {version}": (
        "另一个{name}，或其选项不同，版本同为 {version}"
    ),
    "{word}": "{word}",
    "tuned baseline of {date}": "{date} 的调优基线",
    "run {run} of the history": "历史记录中的运行 {run}",
    "the default configuration has changed: {changes}": "默认配置已改变：{changes}",
    "not searched (config=...): exactly this configuration is gated": "未搜索（config=...）：只对这一配置设门禁",
    "No problem failed the gate.": "没有问题未通过门禁。",
    "{verdict} {count} of {total} have no baseline.": "{verdict}{total} 个中有 {count} 个没有可比的基线。",
    "{verdict} {count} of {total} had no baseline: recorded.": (
        "{verdict}{total} 个中有 {count} 个原先没有基线，已记录。"
    ),
    "{verdict} {count} of {total} have no baseline, {recorded} of these were recorded.": (
        "{verdict}{total} 个中有 {count} 个没有可比的基线，其中 {recorded} 个已记录。"
    ),
    "no baseline for this device ({device}), so nothing was compared, which fails where CI=true: record baselines on "
    "it with {switch}=seed and commit them, or let the run be green without with {switch}=warn": (
        "本设备（{device}）没有基线，因此没有做任何比较；CI=true 时这算失败：请在本设备上用 {switch}=seed "
        "记录基线并提交，"
        "或用 {switch}=warn 允许没有基线也通过"
    ),
    "No problem failed the gate; {unjudged} of {total} could not be judged.": (
        "没有未通过门禁的问题；{total} 个中有 {unjudged} 个无法判定。"
    ),
    "regressed by {drop} (allowed {allowed})": "回退 {drop}（允许 {allowed}）",
    "Nothing was searched in this run: the configuration was given.": "本次运行没有搜索：配置是给定的。",
    "All {total} trials failed (red crosses): there is no best so far. The trial table names the reasons.": (
        "全部 {total} 次试验都失败（红叉）：没有当前最佳。原因见试验表。"
    ),
    "Each grey dot is a trial, {failures}, the blue staircase is the best so far. It started at {first} {unit}, "
    "{growth} and {flat}; {gaps}; {below} of the last {late} dots lie below the line. {confirmed}": (
        "灰点是各次试验，{failures}，蓝色阶梯线是当前最佳。它从 {first} {unit} 起，{growth}，{flat}；{gaps}；"
        "最后 {late} 个点中有 {below} 个在线下。{confirmed}"
    ),
    "gaps between jumps, in trials: last {last_gap}, median {median_gap:g}": (
        "跳升间隔（试验次数）：最近 {last_gap}，中位数 {median_gap:g}"
    ),
    "without a second jump there is no usual gap to compare that with": "没有第二次跳升，也就没有可比的通常间隔",
    "never grew": "没有跳升",
    "grew once, to {best},": "经 1 次跳升到 {best}",
    "grew {count} times to {best}": ("经 {count} 次跳升到 {best}"),
    "grew by no more than the noise in the last {flat} trials": "最近 {flat} 次试验的增长不超过噪声",
    "still grew at the last trial": "最后一次试验仍在跳升",
    "has been flat for one trial": "最近 1 次试验走平",
    "has been flat for the last {count} trials": ("最近 {count} 次试验走平"),
    "red crosses are the {failed} failed ones": "红叉是 {failed} 次失败",
    "none failed": "没有失败",
    "No problem failed the gate, {tolerated} of {total} only because the policy tolerates it; the worst is {id}: "
    "{status}.": "没有未通过门禁的问题，但 {total} 个中有 {tolerated} 个仅因策略容许；最差的是 {id}：{status}。",
    "{id} failed the gate: {status}.": "{id} 未通过门禁：{status}。",
    "The problem passed the gate.": "该问题通过门禁。",
    "Nothing was confirmed.": "没有确认值。",
    "These are raw search values; the winner re-measured on fresh samples is the separate line at {rate} {unit}.": (
        "这些是原始搜索值；用新样本重测的优胜者是单独的一条线：{rate} {unit}。"
    ),
    "{raw} The narrow band under the baseline is what the gate allows.": "{raw}基线下的窄带是门禁允许的范围。",
    "No trial was valid, so there is no distribution.": "没有有效试验，因而没有分布。",
    "good configurations are rare spikes: more random search pays little.": "好配置是罕见尖峰：继续随机搜索收益很小。",
    "there is a wide plateau near the best: a few more trials may still pay a little.": (
        "最佳值附近有宽平台：再试几次可能还有少许收益。"
    ),
    "good configurations are neither rare nor everywhere.": "好配置既不罕见也不普遍。",
    "these are too few trials to tell a spike from a plateau.": "试验太少，分不清尖峰与平台。",
    "The bars are the {valid} successful trials ({failures}). The best, {best} {unit}, is {ratio:.2f} times the mean, "
    "{mean} {unit}; {near} of the valid trials are within {within:.0%} of the best: {advice}": (
        "柱形是 {valid} 次成功试验（{failures}）。最佳 {best} {unit} 是均值 {mean} {unit} 的 {ratio:.2f} 倍；"
        "{near} 的有效试验与最佳相差不到 {within:.0%}：{advice}"
    ),
    "the {failed} failed ones, {share} of all, are left out": "{failed} 次失败不计入，占 {share}",
    "Both kernels were measured in the same {rounds} shuffled rounds. If the gate sees a change, the filled bars "
    "(this run, {rate} {unit}) and the outline ({own} own build, {baseline} {unit}) stand apart.": (
        "两个内核在同样的 {rounds} 轮随机交错中测量。若门禁看到变化，填充柱（本次，{rate} {unit}）"
        "与轮廓线（{own}自己的构建，{baseline} {unit}）会分开。"
    ),
    "{text} The median of the per-round ratios is {ratio:.3f} [{low:.3f}, {high:.3f}] (1 = equal, less is slower).": (
        "{text}逐轮比值的中位数为 {ratio:.3f} [{low:.3f}, {high:.3f}]（1 = 相等，小于 1 为更慢）。"
    ),
    "The problem offers {intensity} operations per byte; the kernel reaches {share} of the peak. The memory "
    "bandwidth of this device is not known here, so only the compute roof is drawn.": (
        "该问题每字节有 {intensity} 次运算；内核达到峰值的 {share}。此设备的内存带宽未知，故只画计算屋顶。"
    ),
    "the compute roof limits it": "受计算屋顶限制",
    "the memory roof limits it before the compute roof does": "先受内存屋顶限制",
    "The problem offers {intensity} operations per byte, so {kind}: at most {bound} {unit}. {reached}": (
        "该问题每字节有 {intensity} 次运算，因此{kind}：至多 {bound} {unit}。{reached}"
    ),
    "The kernel reaches {share} of that.": "内核达到其 {share}。",
    "The kernel is faster than that: not all of its operands come from memory, some are still in a cache.": (
        "内核比这更快：操作数并非全部来自内存，有些还在缓存里。"
    ),
    "Confirmed rates of the last {runs} runs, from {first} to {last} {unit}; crosses failed the gate. Across days "
    "the machine's own drift is in it: the trend is advice, never the gate.": (
        "最近 {runs} 次运行的确认速率，从 {first} 到 {last} {unit}；"
        "叉号未通过门禁。跨天数值含机器自身漂移：趋势只供参考，不作门禁。"
    ),
    "A model's prediction, no measurement: the largest part of the {time} µs is {part}, {share}. {advice}": (
        "这是模型的预测，不是测量：{time} µs 中最大的部分是{part}，占 {share}。{advice}"
    ),
    "No single step of a parameter saves more than the {error} that the model may be wrong by.": (
        "任何参数变动一步，节省都不超过模型可能的误差 {error}。"
    ),
    "One step of {parameter}, from {before} to {after}, saves most: {change}.": (
        "{parameter} 从 {before} 变到 {after} 一步节省最多：{change}。"
    ),
    # --- figures/ ---
    "Predicted time, {id}": "预测时间，{id}",
    "where the predicted {time} µs go": "预测的 {time} µs 花在何处",
    "one legal step of a parameter (shaded: the model's error)": "单个参数合法地变动一步（阴影：模型误差）",
    "a rare spike": "罕见尖峰",
    "a wide plateau": "宽平台",
    "too few valid trials to tell": "有效试验太少，难以判断",
    "neither spike nor plateau": "既非尖峰也非平台",
    "{failed} of {total} trials failed ({share})": "{total} 次试验中失败 {failed} 次（{share}）",
    "{share} near the best": "{share} 接近最佳",
    "initial phase": "初始阶段",
    "no trial was valid": "没有有效试验",
    "simulated": "模拟",
    "trials": "试验数",
    "samples": "样本数",
    "run": "运行",
    "operations per byte": "每字节运算数",
    "Convergence, {id}": "收敛曲线，{id}",
    "Distribution, {id}": "性能分布，{id}",
    "Confirmation, {id}": "确认测量，{id}",
    "Roofline, {id}": "屋顶线，{id}",
    "Trend, {id}": "趋势，{id}",
    "1 flat {count}": "1 走平 {count}",
    "2 no gap yet": "2 尚无间隔",
    "2 gap {last} vs {median:g}": "2 间隔 {last} 比 {median:g}",
    "3 below {below}/{total}": "3 线下 {below}/{total}",
    "best {rate}": "最佳 {rate}",
    "mean {rate}": "均值 {rate}",
    "untuned {rate}": "未调优 {rate}",
    "{bars} Untuned (the template's default): {rate} {unit}; the best is {ratio:.2f} times that.": (
        "{bars}未调优（模板默认配置）：{rate} {unit}；最佳是它的 {ratio:.2f} 倍。"
    ),
    "peak {rate}": "峰值 {rate}",
    "floor {rate}": "下限 {rate}",
    "confirmed {rate}": "确认 {rate}",
    "baseline {rate}": "基线 {rate}",
    "this run {rate}": "本次 {rate}",
    "memory {rate} TB/s": "内存 {rate} TB/s",
    # --- view.py ---
    "The baseline's own build is today's winner: the same binary, nothing to compare.": (
        "基线自己的构建就是今天的优胜者：同一个二进制，无需比较。"
    ),
    "The baseline's own build could not be measured: {message}": "基线自己的构建无法测量：{message}",
    # --- terminal.py, markdown.py ---
    "problem": "问题",
    "of peak": "峰值占比",
    "verdict": "判定",
    "search": "搜索",
    "cause": "原因",
    "configuration": "配置",
    "accept it": "接受它",
    "test": "测试",
    " (simulated)": "（模拟）",
    "{trials} ({failed} failed), {state}": ("{trials}（失败 {failed}），{state}"),
    "{failed} failed": "失败 {failed}",
    "{time} left": "剩余 {time}",
    "{names} and {count} more": "{names} 及另外 {count} 个",
    "not measured: {reason}": "未测量：{reason}",
    "not measured: {names}: {reason}": "未测量：{names}：{reason}",
    "the run ended before it": "运行在此之前结束",
    "the run was interrupted while it was measured": "运行在测量它时被中断",
    "nothing was measured although tests asked for ascend_tune: the run counts as failed": (
        "有测试请求了 ascend_tune，却没有测量任何内容：此次运行算失败"
    ),
    "report: {path}": "报告：{path}",
    "baseline of {id} recorded: {path}": "已记录 {id} 的基线：{path}",
    "Full report: {path}": "完整报告：{path}",
    # --- templates ---
    "Skip to the content": "跳到正文",
    "GEMM performance report": "GEMM 性能报告",
    "Incomplete: the run was interrupted. What was confirmed until then stands, recorded baselines too; everything "
    "else is still to be measured.": (
        "不完整：运行被中断。中断前已确认的结果有效，已记录的基线也有效；其余的尚待测量。"
    ),
    "Simulated: numbers marked so come from an analytical model; no kernel ran.": (
        "模拟：如此标记的数值来自解析模型；没有运行内核。"
    ),
    "made {time} by pytest-ascend-tune {version}": "由 pytest-ascend-tune {version} 于 {time} 生成",
    "Summary": "概要",
    "Filter problems": "筛选问题",
    "Asked for and not measured": "要求了但没有测量",
    "All problems, worst first; rates are confirmed ones": "全部问题，最差的在前；速率均为确认值",
    "Problems": "各问题",
    "Environment": "环境",
    "Machine and tool chain of this run; values that differ from a baseline's are marked": (
        "本次运行的机器与工具链；与基线不同的值有标记"
    ),
    "Glossary": "术语",
    "fact": "项目",
    "this run": "本次",
    "time of one call": "一次调用的时间",
    "of {peak} {unit}": "（峰值 {peak} {unit}）",
    "floor {share}": "下限 {share}",
    "against the reference": "相对参考内核",
    "allowed drop {share}": "允许降幅 {share}",
    "where": "位置",
    "devices of the search: {names}": "搜索所用设备：{names}",
    "Converged or not?": "收敛了吗？",
    "Checklist: both pictures together": "清单：两张图合看",
    "looked at": "考察",
    "found": "结果",
    "speaks for convergence": "支持收敛",
    "✔ yes": "✔ 是",
    "✘ no": "✘ 否",
    "Configuration": "配置",
    "Confirmed configuration beside the baseline's, and how much each parameter mattered": (
        "确认的配置与基线配置对照，以及各参数的影响"
    ),
    "Confirmed configuration, and how much each parameter mattered": "确认的配置，以及各参数的影响",
    "parameter": "参数",
    "effect": "影响",
    "What changed around it": "周围的变化",
    "Facts that differ from when the baseline was recorded": "与记录基线时不同的项目",
    "All {trials} trials ({failed} failed)": "全部 {trials} 次试验（失败 {failed}）",
    "Trials of {id}": "{id} 的试验",
    "Raw values of the search": "搜索的原始值",
    "why tried": "来由",
    "device": "设备",
    "device {device} is not used: {reason}": "设备 {device} 未使用：{reason}",
    "device {device} was lost: {reason}": "设备 {device} 已失联：{reason}",
    "no reference kernel for {dtype}: differences between the {count} devices are part of the trials' times; the "
    "finalists are confirmed on one device": "{dtype} 没有参考内核：{count} 个设备之间的差异仍含在试验时间里；"
    "候选在同一设备上确认",
    "Numbers of the trend": "趋势的数值",
    "Confirmed rates, oldest first": "确认速率，最早的在前",
    "gate": "门禁",
    "best raw value of the search": "搜索的最高原始值",
    "{tried} of {legal} legal configurations tried": "{legal} 个合法配置中试过 {tried} 个",
    "Do it again": "重做一遍",
    "Command for {id}": "{id} 的命令",
    "If the lower number is meant to be:": "如果较低的数值是有意的：",
    "Command to accept {id}": "接受 {id} 的命令",
    "files of this search: {folder}": "本次搜索的文件：{folder}",
    # --- tuning ---
    "still searching after {trials}; {left}": ("{trials}后仍在搜索；{left}"),
    "the model expects no single further trial to gain more than {gain:.2%}": (
        "模型预计任何一次后续试验的提升都不超过 {gain:.2%}"
    ),
    "none of {trials} worked; most frequent failure ({count}): {kind}: {message}": (
        "{trials}都不可用；最常见的失败（{count}）：{kind}：{message}"
    ),
    "interrupted after {trials}; {left}; it can be resumed": ("{trials}后被中断；{left}；可以继续"),
    "converged: no growth for {flat}, late trials stay below the best, and the model expects "
    "no further trial to gain more than {gain:.2%}": (
        "已收敛：{flat}没有增长，后期试验都低于最佳，模型预计任何后续试验的提升都不超过 {gain:.2%}"
    ),
    "stopped, not converged: {patience} without growth, as asked; {left}": (
        "已停止，未收敛：按要求 {patience}无增长；{left}"
    ),
    "stopped, not converged: the time budget is used up after {trials}; {left}": (
        "已停止，未收敛：{trials}后时间预算用尽；{left}"
    ),
    "not converged: the budget of {trials} is used up; {left}; resume with a larger budget to go on from here": (
        "未收敛：{trials}的预算用尽；{left}；可用更大的预算从这里继续"
    ),
    "too few trials to say what more could bring": "试验太少，说不出继续会带来什么",
    "all {trials} legal configurations were tried: nothing is left to find": (
        "全部 {trials} 个合法配置都试过：没有可再找的"
    ),
    "nothing was tried yet": "尚未试验",
    "best so far has not grown for {flat} (needed: {need})": ("当前最佳已 {flat}没有增长（需要：{need}）"),
    "it has not grown since trial {first}: without a usual gap, {need} trials are waited for": (
        "自第 {first} 次试验起没有跳升：没有通常间隔，须等待 {need} 次试验"
    ),
    "{flat} since the last jump; the usual gap is {usual:g}": ("距上次跳升 {flat}；通常间隔为 {usual:g}"),
    "{share:.0%} of the last {window} lie below the best (needed: no growth for {need} trials)": (
        "最后 {window}中有 {share:.0%} 低于最佳（需要：{need} 次试验没有增长）"
    ),
    "{shape}: {share:.0%} of the valid trials within {near:.0%} of the best; best is {ratio:.2f} times the mean": (
        "{shape}：{share:.0%} 的有效试验与最佳相差不到 {near:.0%}；最佳是均值的 {ratio:.2f} 倍"
    ),
    "the model expects no gain yet": "模型尚无预期",
    "the model expects no further trial to gain more than {gain:.2%} (needed: {need:.2%} in {all} proposals in a row; "
    "seen: {count})": (
        "模型预计任何后续试验的提升都不超过 {gain:.2%}（需要：连续 {all} 次提议不超过 {need:.2%}；已有：{count} 次）"
    ),
    "baseline today": "基线今日",
    "revision today": "该版本今日",
    "revision": "版本",
    "revision {rate}": "该版本 {rate}",
    "compared with": "比较对象",
    "{asked}, commit {commit}, built today; this run: {today}; {config_from}": (
        "{asked}，提交 {commit}，今天构建；本次：{today}；{config_from}"
    ),
    "compared with {asked}, commit {commit}, built today; this run: {today}": (
        "与 {asked} 比较，提交 {commit}，今天构建；本次：{today}"
    ),
    "commit {commit}": "提交 {commit}",
    "commit {commit} with uncommitted changes of the kernel": "提交 {commit}，内核有未提交的改动",
    "its configuration is the stored baseline's": "其配置取自存储的基线",
    "its configuration is its own default": "其配置是它自己的默认配置",
    "its configuration is the fastest there of the search's best": "其配置是搜索的最佳配置中在该版本上最快的",
    "{rate} {unit}: its own build, measured in the same rounds": "{rate} {unit}：其自身构建，在同一批轮次中测得",
    # --- gate ---
    "others keep the device busy": "设备被其他任务占用",
    "the device's clock is below its rated value": "设备频率低于额定值",
    "the reference kernel drifted meanwhile": "参考内核在此期间漂移",
    "the difference is smaller than what the clock can tell apart": "差别小于时钟的分辨能力",
    "the samples are too noisy": "样本噪声太大",
    "the baseline of {date}": "{date} 的基线",
    "{asked} ({commit})": "{asked}（{commit}）",
    "the baseline's": "基线",
    "the revision's": "该版本",
    "unchanged: the best is the very build of {rival}": "未变：最佳就是{rival}的那个构建",
    "nothing to compare with: the kernel of {rival} could not be measured ({why})": (
        "没有可比较的对象：{rival} 的内核无法测量（{why}）"
    ),
    "no configuration of today's sources is as fast as {own} own build": (
        "今天的源码没有任何配置与{own}自己的构建一样快"
    ),
    "today's sources lost against {own} own sources, built and measured side by side": (
        "今天的源码与{own}的源码并排构建、测量，今天的更慢"
    ),
    "{own} configuration does not work with today's sources and nothing else is as fast": (
        "{own}的配置在今天的源码上不可用，且没有其他同样快的配置"
    ),
    "{drop:.1%} slower than {rival} ({low:.1%} to {high:.1%}, {allowed:.1%} allowed), cause code: {how}": (
        "比{rival}慢 {drop:.1%}（{low:.1%} 至 {high:.1%}，允许 {allowed:.1%}），原因是代码：{how}"
    ),
    "{gain:.1%} faster than {rival} ({gain_low:.1%} to {gain_high:.1%}): {how}; "
    "within the noise, so there is nothing to record": (
        "比{rival}快 {gain:.1%}（{gain_low:.1%} 到 {gain_high:.1%}）：{how}；在噪声之内，因此没有可记录的"
    ),
    "{gain:.1%} faster than {rival} ({gain_low:.1%} to {gain_high:.1%}): {how}; record it with {switch}": (
        "比{rival}快 {gain:.1%}（{gain_low:.1%} 至 {gain_high:.1%}）：{how}；用 {switch} 记录"
    ),
    "{gain:.1%} faster than {rival} ({gain_low:.1%} to {gain_high:.1%}): {how}": (
        "比{rival}快 {gain:.1%}（{gain_low:.1%} 至 {gain_high:.1%}）：{how}"
    ),
    "cannot tell whether it is slower than {rival}: the drop is {drop:.1%} ({low:.1%} to {high:.1%}, "
    "{allowed:.1%} allowed) and {why}": (
        "无法判断是否比{rival}慢：降幅 {drop:.1%}（{low:.1%} 至 {high:.1%}，允许 {allowed:.1%}），且{why}"
    ),
    "as fast as {rival}, side by side: {gain:+.1%} ({gain_low:+.1%} to {gain_high:+.1%}, a drop of "
    "{allowed:.1%} is allowed)": (
        "与{rival}并排测量一样快：{gain:+.1%}（{gain_low:+.1%} 至 {gain_high:+.1%}，允许降幅 {allowed:.1%}）"
    ),
    "a better configuration was found": "找到了更好的配置",
    "the same configuration became faster": "同一配置变快了",
    "the {role} {name} failed in the confirmation ({kind}) and was dropped": (
        "{role} {name} 在确认时失败（{kind}），已剔除"
    ),
    "from the search to the confirmation the speed of the machine itself changed by {change:+.1%} (reference kernel): "
    "rates of different minutes differ as much, ratios to the reference do not": (
        "从搜索到确认，机器自身的速度变化了 {change:+.1%}（参考内核）："
        "不同时刻的速率差异与此相当，而与参考内核之比不受影响"
    ),
    "calls of this problem are long: its confirmation may take {seconds:.0f} s": (
        "此问题的调用较长：确认可能需要 {seconds:.0f} 秒"
    ),
    "reference changed from {then} to {now}: speed cannot be compared with stored numbers": (
        "参考内核由 {then} 变为 {now}：速度无法与保存的数值比较"
    ),
    "{drop:.1%} slower{to} than the stored numbers of {date}, {absolute:.1%} in itself (noise {noise:.1%}, "
    "{allowed:.1%} allowed), cause code; the baseline's own build is missing, so the platform may have its part in "
    "it": (
        "{to}比 {date} 保存的数值慢 {drop:.1%}，自身慢 {absolute:.1%}（噪声 {noise:.1%}，允许 {allowed:.1%}），"
        "原因是代码；"
        "缺少基线自己的构建，平台也可能有份"
    ),
    "the machine is slower than when the baseline was taken ({date}), nothing that is recorded has changed: "
    "{drop:.1%}{to}, {absolute:.1%} in itself ({allowed:.1%} allowed)": (
        "机器比记录基线时（{date}）慢，而所记录的都没有变化：{to}慢 {drop:.1%}，"
        "自身慢 {absolute:.1%}（允许 {allowed:.1%}）"
    ),
    "cannot tell the kernel from the machine: {absolute:.1%} slower than on {date} ({allowed:.1%} allowed), and there "
    "is no reference kernel or other rate of the device to divide by": (
        "无法区分内核与机器：比 {date} 时慢 {absolute:.1%}（允许 {allowed:.1%}），"
        "而没有参考内核或设备的其他速率可作除数"
    ),
    "cannot tell: {drop:.1%} slower{to} than on {date} ({allowed:.1%} allowed), but only {absolute:.1%} in itself, so "
    "the device or the kernel may have changed": (
        "无法判断：{to}比 {date} 时慢 {drop:.1%}（允许 {allowed:.1%}），但自身只慢 {absolute:.1%}，变化的可能是设备，"
        "也可能是内核"
    ),
    "the stored ratio is doubtful: {drop:.1%} slower{to} than on {date}, but {absolute:.1%} in itself, and nothing "
    "that is recorded has changed: the device was disturbed then or is another one now": (
        "保存的比值可疑：{to}比 {date} 时慢 {drop:.1%}，但自身慢 {absolute:.1%}，而所记录的都没有变化："
        "当时设备受到干扰，"
        "或现在是另一台设备"
    ),
    "only the {anchor} shows a loss against the numbers of {date} ({drop:.1%}), nothing else does: that is its own "
    "trouble, then or now, and not the kernel's": (
        "与 {date} 的数值相比，只有{anchor}显示损失（{drop:.1%}），其他都没有：那是它自己当时或现在的问题，不是内核的"
    ),
    "nothing to compare with: the baseline's own build could not be measured ({why}), and {provisional}": (
        "没有可比较的：基线自己的构建无法测量（{why}），而且{provisional}"
    ),
    "the baseline of {date} is provisional, recorded on a disturbed device: its stored numbers decide nothing; record "
    "it on a quiet device with {switch}": (
        "{date} 的基线是暂定的，是在受干扰的设备上记录的：其保存的数值不作任何判定；"
        "请在安静的设备上用 {switch} 重新记录"
    ),
    "recorded as provisional: the device stayed disturbed, so the numbers of this baseline decide nothing, only its "
    "sources do; record it again on a quiet device with {switch}": (
        "记录为暂定：设备一直受到干扰，因此此基线的数值不作任何判定，只有其源码参与判定；"
        "请在安静的设备上用 {switch} 重新记录"
    ),
    "accepted without a judgement: it is recorded as the new baseline": "未经判定即被接受：记录为新基线",
    "reference kernel": "参考内核",
    "peak of multiply-adds": "乘加峰值",
    "memory stream": "内存流",
    "torch.matmul of a fixed size": "固定尺寸的 torch.matmul",
    "copy in memory": "内存复制",
    " relative to the {anchor}": "相对于{anchor}",
    "no version that is recorded has changed, but the build has": "所记录的版本都没有变化，但构建变了",
    "the old tool chain is no witness: {why}": "旧工具链不能作证：{why}",
    "the baseline's own build is missing": "缺少基线自己的构建",
    "it is not the one of the baseline: {name} is {now}, {then} was recorded": (
        "它不是基线的那一个：{name} 为 {now}，记录的是 {then}"
    ),
    "it is the one of today": "它就是今天的工具链",
    "it does not build the baseline's sources: {error}": "它无法编译基线的源码：{error}",
    "its build could not be measured beside today's": "其构建无法与今天的并排测量",
    "platform: with today's tool chain the baseline's own sources are {drop:.1%} slower than with the old one "
    "({named}), built and measured side by side, but today's best makes up for it": (
        "平台：用今天的工具链，基线自己的源码比用旧工具链（{named}）慢 {drop:.1%}，并排编译和测量，但今天的最佳弥补了它"
    ),
    "with today's tool chain the baseline's own sources are {drop:.1%} slower ({low:.1%} to {high:.1%}, {allowed:.1%} "
    "allowed) than with the old one, cause platform: {named}. Both were built and measured side by side in this run, "
    "which is the strongest proof": (
        "用今天的工具链，基线自己的源码比用旧工具链慢 {drop:.1%}（{low:.1%} 至 {high:.1%}，允许 {allowed:.1%}），"
        "原因是平台：{named}。两者在本次运行中并排编译和测量，这是最有力的证据"
    ),
    "both tool chains side by side ({named}): cannot tell, {drop:+.1%} ({low:+.1%} to {high:+.1%}) slower with "
    "today's": "两个工具链并排（{named}）：无法判断，用今天的慢 {drop:+.1%}（{low:+.1%} 至 {high:+.1%}）",
    "not the tool chain: the baseline's own sources, built with both and measured side by side ({named}), are "
    "{gain:+.1%} faster with today's ({allowed:.1%} allowed); this is the strongest proof": (
        "不是工具链：基线自己的源码用两个工具链编译并并排测量（{named}），"
        "用今天的快 {gain:+.1%}（允许 {allowed:.1%}）；"
        "这是最有力的证据"
    ),
    "{gain:.0%} faster{to} than the stored numbers of {date}; record it with {switch}": (
        "{to}比 {date} 保存的数值快 {gain:.0%}；用 {switch} 记录"
    ),
    "within {allowed:.1%} of the stored numbers of {date}: {gain:+.1%}{to}": (
        "与 {date} 保存的数值相差不到 {allowed:.1%}：{to}{gain:+.1%}"
    ),
    "device: the reference kernel is {drop:.0%} slower than when the baseline was recorded": (
        "设备：参考内核比记录基线时慢 {drop:.0%}"
    ),
    "platform: the baseline's own build is {drop:.0%} slower{to} than on {date}, but today's best makes up for it": (
        "平台：基线自己的构建{to}比 {date} 时慢 {drop:.0%}，但今天的最佳弥补了它"
    ),
    "it was not built": "没有构建",
    "the baseline's own build could not be measured ({why}): compared with its stored numbers": (
        "基线自己的构建无法测量（{why}）：改与其保存的数值比较"
    ),
    "the baseline's own build is {drop:.1%} slower{to} than on {date} and {absolute:.1%} in itself (noise {noise:.1%}, "
    "{allowed:.1%} allowed), cause platform: {changes}": (
        "基线自己的构建{to}比 {date} 时慢 {drop:.1%}，自身慢 {absolute:.1%}（噪声 {noise:.1%}，允许 {allowed:.1%}），"
        "原因是平台：{changes}"
    ),
    "cannot tell: {finding}; but {why}": "无法判断：{finding}；但{why}",
    "{name} {then} -> {now}": "{name} {then} -> {now}",
    "{first}, {rest}": "{first}，{rest}",
    "the baseline's own build is {gain:.0%} faster{to} than on {date}": "基线自己的构建{to}比 {date} 时快 {gain:.0%}",
    " relative to the reference kernel": "相对于参考内核",
    "record the baseline again": "请重新记录基线",
    "the device is disturbed": "设备受到干扰",
    "the samples are as noisy as that": "样本噪声有这么大",
    "none of {tried} configurations worked, {count} of them: {kind} ({message})": (
        "{tried} 个配置都不可用，其中 {count} 个：{kind}（{message}）"
    ),
    "interrupted after {trials}: nothing was confirmed or compared": ("{trials}后被中断：没有确认也没有比较"),
    "{sentence} (model only, the kernel was not exercised)": "{sentence}（仅为模型，没有运行内核）",
    "{first}; and the test fails because {second}": "{first}；测试失败是因为{second}",
    "{fact} was {then} and is {now}": "{fact} 原为 {then}，现为 {now}",
    "the baseline of {date} is not comparable: {facts}": "{date} 的基线不可比：{facts}",
    "there is no baseline yet: a run that passes records one (missing=seed)": (
        "还没有基线：通过的运行会记录一个（missing=seed）"
    ),
    "there is no baseline to compare with: record one with {switch}": ("没有可比较的基线：用 {switch} 记录一个"),
    "there is no baseline to compare with, and missing=fail demands one": "没有可比较的基线，而 missing=fail 要求有",
    "the configuration to gate could not be built, could not run or gave a wrong result": (
        "要判定的配置无法编译、无法运行或结果错误"
    ),
    "no finalist of {trials} worked when it was measured again": ("{trials}的候选在重测时都不可用"),
    "since the baseline was recorded: {changes}": "自记录基线以来：{changes}",
    "the baseline is {days} days old": "基线已有 {days} 天",
    "the search ended without evidence: {reason}": "搜索结束时没有收敛证据：{reason}",
    "{rate:.4g} {unit} is {value:.1%} of the peak: no kernel is that fast, so the time or the peak was measured wrong; "
    "nothing is recorded": (
        "{rate:.4g} {unit} 为峰值的 {value:.1%}：没有内核能这么快，因此时间或峰值测量有误；未记录任何内容"
    ),
    "{kind}: {rate:.4g} {unit} is {value:.1%} of the peak, which was measured again: the kernel has not done the work "
    "that it was timed for; nothing is recorded": (
        "{kind}：{rate:.4g} {unit} 为重新测得的峰值的 {value:.1%}：内核没有完成被计时的工作；未记录任何内容"
    ),
    "efficiency is {value:.1%} of the peak": "效率为峰值的 {value:.1%}",
    "speed is {value:.1%} of the reference kernel's": "速度为参考内核的 {value:.1%}",
    "{what} ({low:.1%} to {high:.1%}), below the floor of {floor:.1%}": (
        "{what}（{low:.1%} 至 {high:.1%}），低于下限 {floor:.1%}"
    ),
    "there is no reference kernel here to check the floor of {floor:.0%} of its speed": (
        "这里没有参考内核，无法检查其速度 {floor:.0%} 的下限"
    ),
    "{what} ({low:.1%} to {high:.1%}), too close to the floor of {floor:.1%} to decide": (
        "{what}（{low:.1%} 至 {high:.1%}），离下限 {floor:.1%} 太近，无法判定"
    ),
    "{runs} runs without a change: at most {floor:.2%} apart side by side, {between:.1%} noise between runs": (
        "{runs} 次无改动的运行：并排至多相差 {floor:.2%}，运行之间噪声 {between:.1%}"
    ),
    "{found}; suggested threshold {threshold:.1%}, for stored numbers {platform:.1%}": (
        "{found}；建议阈值 {threshold:.1%}，对保存的数值 {platform:.1%}"
    ),
    "{found}. Not enough: calibrated {occasions} of at least {least} times, over {minutes:.0f} of at least {span:.0f} "
    "minutes. Calibrate again later; until then {usual:.0%} stays for stored numbers": (
        "{found}。还不够：已校准 {occasions} 次（至少 {least} 次），历时 {minutes:.0f} 分钟（至少 {span:.0f} 分钟）。"
        "请稍后再校准；在此之前对保存的数值仍用 {usual:.0%}"
    ),
    # --- backends, hardware ---
    "launch": "启动",
    "cube multiplies": "cube 乘法",
    "cube waits for L0 (MTE1)": "cube 等待 L0（MTE1）",
    "cube waits for L1 (MTE2, L2, HBM)": "cube 等待 L1（MTE2、L2、HBM）",
    "write-back (FixPipe)": "写回（FixPipe）",
    "fill and drain of the pipeline": "流水线的充填与排空",
    "process {pid} ({name}) uses NPU {number}, which could be ours": (
        "进程 {pid}（{name}）正在使用 NPU {number}，它可能就是我们所用的 NPU"
    ),
    "the cores of NPU {number}, which could be ours, are {use} % busy while nothing of ours runs": (
        "NPU {number}（可能就是我们所用的 NPU）的核心在我们没有运行任何内容时占用率为 {use} %"
    ),
    "which of the NPUs {numbers} of npu-smi is ours cannot be known in this container (CANN 8.5 and newer tell): "
    "each that is busy is named with the results": (
        "在此容器中无法得知 npu-smi 所列的 NPU {numbers} 中哪一个是我们所用的（CANN 8.5 及更新版本可以告知）："
        "其中每个繁忙的 NPU 都会随结果一并列出"
    ),
    "the clock ran at {now} of {rated} MHz": "频率为 {now} MHz，额定 {rated} MHz",
    "process {pid} ({name}) uses NPU {number}, too": "进程 {pid}（{name}）也在使用 NPU {number}",
    "the chip {soc} is not in the table; its platform file's numbers are used": (
        "芯片 {soc} 不在表中；使用其平台文件的数值"
    ),
    "the driver rates the clock at {rated} MHz, the table says {listed}": (
        "驱动给出的额定频率为 {rated} MHz，表中为 {listed}"
    ),
    "the cores of NPU {number} are {use} % busy while nothing of ours runs": (
        "NPU {number} 的核心占用 {use} %，而我们没有任务在运行"
    ),
    "{tiles} tiles on {cores} cores: {waves} waves, {idle:.0%} of the cores' time idle at the end": (
        "{tiles} 个分块在 {cores} 个核上：{waves} 波，末尾空闲 {idle:.0%} 的核时"
    ),
    "rows of {name} are {length} elements long: from {limit} on every row is loaded by itself, slowly": (
        "{name} 的行长 {length} 个元素：达到 {limit} 后每行单独搬运，较慢"
    ),
    "rows of {name} are no multiple of {alignment} bytes: its loads are slower": (
        "{name} 的行不是 {alignment} 字节的倍数：搬运较慢"
    ),
    "other processes used {share:.0%} of the CPUs while measuring (load average {load:.1f})": (
        "测量期间其他进程占用了 {share:.0%} 的 CPU（平均负载 {load:.1f}）"
    ),
    "the hypervisor withheld {share:.0%} of the CPUs while measuring": "测量期间虚拟机管理器扣留了 {share:.0%} 的 CPU",
    "{fact} is {found} on this device, {expected} in the table": "此设备上 {fact} 为 {found}，表中为 {expected}",
    "limited by memory: at {rate:.0f} GB/s no kernel exceeds {roof:.3g} {unit}, {share:.0%} of the peak (unless "
    "operands stay in L2)": (
        "受内存限制：{rate:.0f} GB/s 下任何内核都不超过 {roof:.3g} {unit}，即峰值的 {share:.0%}（除非操作数留在 L2 中）"
    ),
    # --- records, session, commands ---
    "backend {backend}{simulated}, {devices}, template {template} and up to {trials} trials unless a marker says "
    "otherwise, {judged_by}": (
        "后端 {backend}{simulated}，{devices}，模板 {template}，至多 {trials} 次试验（除非标记另有规定），{judged_by}"
    ),
    "baseline {baseline!r}": "基线 {baseline!r}",
    "against {revision}": "与 {revision} 比较",
    " (simulated: no kernel runs)": "（模拟：不运行内核）",
    "device {device}": "设备 {device}",
    "{count} devices {device}": "{count} 个设备 {device}",
    "{verdict}; not recorded: {error}": "{verdict}；未记录：{error}",
    "a baseline that no test of this run asks for cannot be read: {error}": "本次运行未用到的一个基线无法读取：{error}",
    "{count} old runs were deleted; the newest {keep} are kept ({switch})": (
        "已删除 {count} 次旧的运行；保留最新的 {keep} 次（{switch}）"
    ),
    "baselines that no collected test matches: {names}": "没有任何收集到的测试与之对应的基线：{names}",
    "The search was interrupted; these are the trials up to then.": "搜索被中断；这些是到那时为止的试验。",
    "Recorded by a tool that uses up its rounds and does not judge.": "由用完轮数而不作判断的工具记录。",
    "No trial succeeded.": "没有成功的试验。",
    "trend: {share:.1%} faster since about run {run} (advice, not judged)": (
        "趋势：约自运行 {run} 起快 {share:.1%}（仅供参考，不作判定）"
    ),
    "trend: {share:.1%} slower since about run {run} (advice, not judged)": (
        "趋势：约自运行 {run} 起慢 {share:.1%}（仅供参考，不作判定）"
    ),
    "read from a file: nothing was confirmed or judged": "读自文件：没有确认也没有判定",
    "not searched": "没有搜索",
    "not searched (max_iter=0): only the default configuration is measured": "没有搜索（max_iter=0）：只测量默认配置",
    "not searched (max_iter=0): only the baseline's configuration is gated": "没有搜索（max_iter=0）：只判定基线的配置",
    "the regression is accepted: it is recorded as the new baseline": "已接受回退：记录为新的基线",
    "Baselines recorded: {recorded}. The next run is compared with them.": (
        "已记录 {recorded} 个基线：下一次运行将与它们比较。"
    ),
    "the test was run again; before, it ended with: {reason}": "测试重新运行过；之前的结果：{reason}",
}
