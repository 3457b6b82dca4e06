"""The GEMMs of public language models: attention projections and feed-forward layers, at prefill and decode sizes.

``y[tokens, out] = x[tokens, in] @ W.T``: torch's linear layers hold W as [out, in], which is layout ``nt`` here (B
transposed). Query, key and value are one GEMM, so are gate and up, as inference engines fuse them. On a machine without
an NPU: ``pytest examples/test_llm_shapes.py --ascend-tune --ascend-tune-backend=simulator``.
"""

import pytest

# Sizes from the models' own config.json: hidden_size, intermediate_size, num_attention_heads, num_key_value_heads.
# https://huggingface.co/meta-llama/Llama-3.1-8B/blob/main/config.json
# https://huggingface.co/Qwen/Qwen2.5-7B/blob/main/config.json
HEAD_SIZE = 128
MODELS = {
    "Llama-3.1-8B": {"hidden": 4096, "feed_forward": 14336, "heads": 32, "kv_heads": 8},
    "Qwen2.5-7B": {"hidden": 3584, "feed_forward": 18944, "heads": 28, "kv_heads": 4},
}
TOKENS = {"prefill": 2048, "decode": 32}  # tokens of one step: a prompt's chunk; a batch of 32 sequences


def layers(hidden, feed_forward, heads, kv_heads):
    """(n, k) of each linear layer: out features, in features."""
    return {
        "qkv": ((heads + 2 * kv_heads) * HEAD_SIZE, hidden),
        "attention output": (hidden, heads * HEAD_SIZE),
        "gate and up": (2 * feed_forward, hidden),
        "down": (hidden, feed_forward),
    }


SHAPES = [
    {"m": tokens, "n": n, "k": k, "dtype": "float16", "layout": "nt"}
    for model in MODELS.values()
    for n, k in layers(**model).values()
    for tokens in TOKENS.values()
]


@pytest.mark.ascend_tune(shapes=SHAPES, max_iter=30)
def test_linear_layer(ascend_tune):
    ascend_tune()
