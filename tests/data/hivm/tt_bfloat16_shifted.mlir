"builtin.module"() ({
  "func.func"() <{function_type = () -> i8, sym_name = "gemm_infer_task_type_function"}> ({
    %119 = "arith.constant"() <{value = 20 : i8}> : () -> i8
    "func.return"(%119) : (i8) -> ()
  }) {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<infer_task_type_function>} : () -> ()
  "func.func"() <{function_type = (bf16, memref<?xbf16, strided<[?], offset: ?>, #hivm.address_space<cbuf>>) -> (), sym_name = "set_l1_2d_bfloat16_t", sym_visibility = "private"}> ({
  }) {hacc.always_inline, hivm.func_core_type = #hivm.func_core_type<AIC>, llvm.emit_c_interface} : () -> ()
  "func.func"() <{function_type = (memref<?x?xbf16, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>, memref<?x?x?x?xbf16, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>) -> (), sym_name = "nd2nz_bfloat16_t", sym_visibility = "private"}> ({
  }) {hacc.always_inline, hivm.func_core_type = #hivm.func_core_type<AIC>, llvm.emit_c_interface} : () -> ()
  "func.func"() <{function_type = (memref<?x?x?x?xbf16, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>, memref<?x?x?x?xbf16, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>, i1, index, index, index, memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cc>>, i64, i64, i64, i64, i64, i64, i64, i8) -> (), sym_name = "mma_tile_bfloat16_t_to_float_ta_tb", sym_visibility = "private"}> ({
  }) {hacc.always_inline, hivm.func_core_type = #hivm.func_core_type<AIC>, llvm.emit_c_interface} : () -> ()
  "func.func"() <{function_type = (memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cc>>, memref<?x?xbf16, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>, i64, i64, i1, i8) -> (), sym_name = "fixpipe_nz2nd_float_to_bfloat16_t_4d_to_2d", sym_visibility = "private"}> ({
  }) {hacc.always_inline, hivm.func_core_type = #hivm.func_core_type<AIC>, llvm.emit_c_interface} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<sync_block_lock>}, {hacc.arg_type = #hacc.arg_type<workspace>}, {tt.tensor_kind = 0 : i32}, {tt.tensor_kind = 0 : i32}, {tt.tensor_kind = 1 : i32}, {}, {}, {}], function_type = (i64, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xbf16, #hivm.address_space<gm>>, memref<?xbf16, #hivm.address_space<gm>>, memref<?xbf16, #hivm.address_space<gm>>, i32, i32, i32) -> (), sym_name = "gemm"}> ({
  ^bb0(%arg0: i64, %arg1: memref<?xi8, #hivm.address_space<gm>>, %arg2: memref<?xi8, #hivm.address_space<gm>>, %arg3: memref<?xbf16, #hivm.address_space<gm>>, %arg4: memref<?xbf16, #hivm.address_space<gm>>, %arg5: memref<?xbf16, #hivm.address_space<gm>>, %arg6: i32, %arg7: i32, %arg8: i32):
    %0 = "arith.constant"() <{value = false}> : () -> i1
    %1 = "arith.constant"() <{value = 16 : i64}> : () -> i64
    %2 = "arith.constant"() <{value = 0 : i8}> : () -> i8
    %3 = "arith.constant"() <{value = 0 : i32}> : () -> i32
    %4 = "arith.constant"() <{value = 6 : i32}> : () -> i32
    %5 = "arith.constant"() <{value = 32 : i32}> : () -> i32
    %6 = "arith.constant"() <{value = 3 : i32}> : () -> i32
    %7 = "arith.constant"() <{value = 4 : i32}> : () -> i32
    %8 = "arith.constant"() <{value = 2 : i32}> : () -> i32
    %9 = "arith.constant"() <{value = 32 : index}> : () -> index
    %10 = "arith.constant"() <{value = 0.000000e+00 : bf16}> : () -> bf16
    %11 = "arith.constant"() <{value = 1 : i32}> : () -> i32
    %12 = "arith.constant"() <{value = 1 : i64}> : () -> i64
    %13 = "arith.constant"() <{value = 3 : i64}> : () -> i64
    %14 = "arith.constant"() <{value = 4 : i64}> : () -> i64
    %15 = "arith.constant"() <{value = 2 : i64}> : () -> i64
    %16 = "arith.constant"() <{value = -1 : i64}> : () -> i64
    %17 = "arith.constant"() <{value = 4096 : i64}> : () -> i64
    %18 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %19 = "arith.constant"() <{value = 2048 : i64}> : () -> i64
    %20 = "arith.constant"() <{value = 6144 : i64}> : () -> i64
    %21 = "hivm.hir.pointer_cast"(%19) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2x2x16x16xbf16, #hivm.address_space<cbuf>>
    %22 = "hivm.hir.pointer_cast"(%20) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2x2x16x16xbf16, #hivm.address_space<cbuf>>
    %23 = "hivm.hir.pointer_cast"(%18) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2x2x16x16xbf16, #hivm.address_space<cbuf>>
    %24 = "hivm.hir.pointer_cast"(%17) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2x2x16x16xbf16, #hivm.address_space<cbuf>>
    "hivm.hir.set_mask_norm"() : () -> ()
    %25 = "hivm.hir.get_block_idx"() : () -> i64
    %26 = "arith.trunci"(%25) : (i64) -> i32
    %27 = "arith.muli"(%arg8, %arg7) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %28 = "arith.divsi"(%26, %27) : (i32, i32) -> i32
    %29 = "arith.remsi"(%28, %arg6) : (i32, i32) -> i32
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID2>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID3>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID4>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_FIX>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_M>}> : () -> ()
    "scf.for"(%29, %4, %8) ({
    ^bb0(%arg9: i32):
      %30 = "arith.divsi"(%arg9, %7) : (i32, i32) -> i32
      %31 = "arith.remsi"(%arg9, %7) : (i32, i32) -> i32
      %32 = "arith.muli"(%30, %8) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %33 = "arith.subi"(%6, %32) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %34 = "arith.minsi"(%33, %8) : (i32, i32) -> i32
      %35 = "arith.divsi"(%31, %34) : (i32, i32) -> i32
      %36 = "arith.remsi"(%31, %34) : (i32, i32) -> i32
      %37 = "arith.addi"(%32, %36) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %38 = "arith.muli"(%35, %5) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %39 = "arith.muli"(%37, %5) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %40 = "arith.index_cast"(%39) : (i32) -> index
      %41 = "arith.index_cast"(%38) : (i32) -> index
      %42 = "affine.max"(%41) <{map = affine_map<()[s0] -> (40, s0)>}> : (index) -> index
      %43 = "affine.min"(%42, %41) <{map = affine_map<()[s0, s1] -> (s1 + 32, s0)>}> : (index, index) -> index
      %44 = "affine.min"(%43, %41) <{map = affine_map<()[s0, s1] -> (32, s0 - s1)>}> : (index, index) -> index
      %45 = "arith.cmpi"(%44, %9) <{predicate = 2 : i64}> : (index, index) -> i1
      %46 = "affine.max"(%40) <{map = affine_map<()[s0] -> (72, s0)>}> : (index) -> index
      %47 = "affine.min"(%46, %40) <{map = affine_map<()[s0, s1] -> (s1 + 32, s0)>}> : (index, index) -> index
      %48 = "affine.min"(%47, %40) <{map = affine_map<()[s0, s1] -> (32, s0 - s1)>}> : (index, index) -> index
      %49 = "arith.cmpi"(%48, %9) <{predicate = 2 : i64}> : (index, index) -> i1
      %50 = "hivm.hir.pointer_cast"(%18) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2x2x16x16xf32, #hivm.address_space<cc>>
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_FIX>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_M>}> : () -> ()
      "scf.for"(%3, %6, %11) ({
      ^bb0(%arg10: i32):
        %59 = "arith.index_cast"(%arg10) : (i32) -> index
        %60 = "arith.index_cast"(%arg9) : (i32) -> index
        %61 = "arith.index_cast"(%29) : (i32) -> index
        %62 = "affine.apply"(%59, %60, %61) <{map = affine_map<()[s0, s1, s2] -> ((s0 + ((s1 - s2) floordiv 2) * 3) mod 2)>}> : (index, index, index) -> index
        %63 = "arith.index_cast"(%62) : (index) -> i64
        %64 = "arith.cmpi"(%63, %12) <{predicate = 0 : i64}> : (i64, i64) -> i1
        %65 = "arith.select"(%64, %22, %21) : (i1, memref<2x2x16x16xbf16, #hivm.address_space<cbuf>>, memref<2x2x16x16xbf16, #hivm.address_space<cbuf>>) -> memref<2x2x16x16xbf16, #hivm.address_space<cbuf>>
        %66 = "arith.index_cast"(%arg10) : (i32) -> index
        %67 = "arith.index_cast"(%arg9) : (i32) -> index
        %68 = "arith.index_cast"(%29) : (i32) -> index
        %69 = "affine.apply"(%66, %67, %68) <{map = affine_map<()[s0, s1, s2] -> ((s0 + ((s1 - s2) floordiv 2) * 3) mod 2)>}> : (index, index, index) -> index
        %70 = "arith.index_cast"(%69) : (index) -> i64
        %71 = "arith.cmpi"(%70, %12) <{predicate = 0 : i64}> : (i64, i64) -> i1
        %72 = "arith.select"(%71, %24, %23) : (i1, memref<2x2x16x16xbf16, #hivm.address_space<cbuf>>, memref<2x2x16x16xbf16, #hivm.address_space<cbuf>>) -> memref<2x2x16x16xbf16, #hivm.address_space<cbuf>>
        %73 = "arith.index_cast"(%arg10) : (i32) -> index
        %74 = "arith.index_cast"(%arg9) : (i32) -> index
        %75 = "arith.index_cast"(%29) : (i32) -> index
        %76 = "affine.apply"(%73, %74, %75) <{map = affine_map<()[s0, s1, s2] -> (s0 + ((s1 - s2) floordiv 2) * 3)>}> : (index, index, index) -> index
        %77 = "arith.index_cast"(%76) : (index) -> i64
        %78 = "arith.index_cast"(%arg10) : (i32) -> index
        %79 = "arith.index_cast"(%arg9) : (i32) -> index
        %80 = "arith.index_cast"(%29) : (i32) -> index
        %81 = "affine.apply"(%78, %79, %80) <{map = affine_map<()[s0, s1, s2] -> ((s0 + ((s1 - s2) floordiv 2) * 3) mod 2)>}> : (index, index, index) -> index
        %82 = "arith.index_cast"(%81) : (index) -> i1
        %83 = "arith.select"(%82, %13, %14) : (i1, i64, i64) -> i64
        %84 = "arith.index_cast"(%81) : (index) -> i1
        %85 = "arith.select"(%84, %12, %15) : (i1, i64, i64) -> i64
        %86 = "arith.addi"(%arg10, %29) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
        %87 = "arith.remsi"(%86, %6) : (i32, i32) -> i32
        %88 = "arith.muli"(%87, %5) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
        %89 = "arith.index_cast"(%88) : (i32) -> index
        %90 = "affine.apply"(%41, %89) <{map = affine_map<()[s0, s1] -> (s0 + s1 * 40)>}> : (index, index) -> index
        %91 = "memref.reinterpret_cast"(%arg3, %90) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 32, 32>, static_strides = array<i64: 40, 1>}> : (memref<?xbf16, #hivm.address_space<gm>>, index) -> memref<32x32xbf16, strided<[40, 1], offset: ?>, #hivm.address_space<gm>>
        %92 = "affine.max"(%89) <{map = affine_map<()[s0] -> (80, s0)>}> : (index) -> index
        %93 = "affine.min"(%92, %89) <{map = affine_map<()[s0, s1] -> (s1 + 32, s0)>}> : (index, index) -> index
        %94 = "affine.min"(%93, %89) <{map = affine_map<()[s0, s1] -> (32, s0 - s1)>}> : (index, index) -> index
        %95 = "arith.cmpi"(%94, %9) <{predicate = 2 : i64}> : (index, index) -> i1
        %96 = "arith.ori"(%95, %45) : (i1, i1) -> i1
        %97 = "memref.subview"(%91, %94, %44) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<32x32xbf16, strided<[40, 1], offset: ?>, #hivm.address_space<gm>>, index, index) -> memref<?x?xbf16, strided<[40, 1], offset: ?>, #hivm.address_space<gm>>
        %98 = "affine.apply"(%44) <{map = affine_map<()[s0] -> ((s0 + 15) floordiv 16)>}> : (index) -> index
        %99 = "affine.apply"(%94) <{map = affine_map<()[s0] -> ((s0 + 15) floordiv 16)>}> : (index) -> index
        %100 = "memref.subview"(%72, %98, %99) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808, 16, 16>, static_strides = array<i64: 1, 1, 1, 1>}> : (memref<2x2x16x16xbf16, #hivm.address_space<cbuf>>, index, index) -> memref<?x?x16x16xbf16, strided<[512, 256, 16, 1]>, #hivm.address_space<cbuf>>
        "scf.if"(%96) ({
          "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
          %117 = "memref.collapse_shape"(%72) <{reassociation = [[0, 1, 2, 3]]}> : (memref<2x2x16x16xbf16, #hivm.address_space<cbuf>>) -> memref<1024xbf16, #hivm.address_space<cbuf>>
          "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
          %118 = "memref.cast"(%117) : (memref<1024xbf16, #hivm.address_space<cbuf>>) -> memref<?xbf16, strided<[?], offset: ?>, #hivm.address_space<cbuf>>
          "func.call"(%10, %118) <{callee = @set_l1_2d_bfloat16_t}> : (bf16, memref<?xbf16, strided<[?], offset: ?>, #hivm.address_space<cbuf>>) -> ()
          "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
          "scf.yield"() : () -> ()
        }, {
        }) {hivm.unlikely_condition} : (i1) -> ()
        "hivm.hir.wait_flag"(%85) <{set_pipe = #hivm.pipe<PIPE_MTE1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
        %101 = "memref.cast"(%97) : (memref<?x?xbf16, strided<[40, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<?x?xbf16, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>
        %102 = "memref.cast"(%100) : (memref<?x?x16x16xbf16, strided<[512, 256, 16, 1]>, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xbf16, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>
        "func.call"(%101, %102) <{callee = @nd2nz_bfloat16_t}> : (memref<?x?xbf16, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>, memref<?x?x?x?xbf16, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>) -> ()
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE1>}> : () -> ()
        %103 = "affine.apply"(%89, %40) <{map = affine_map<()[s0, s1] -> (s0 + s1 * 80)>}> : (index, index) -> index
        %104 = "memref.reinterpret_cast"(%arg4, %103) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 32, 32>, static_strides = array<i64: 80, 1>}> : (memref<?xbf16, #hivm.address_space<gm>>, index) -> memref<32x32xbf16, strided<[80, 1], offset: ?>, #hivm.address_space<gm>>
        %105 = "arith.ori"(%49, %95) : (i1, i1) -> i1
        %106 = "memref.subview"(%104, %48, %94) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<32x32xbf16, strided<[80, 1], offset: ?>, #hivm.address_space<gm>>, index, index) -> memref<?x?xbf16, strided<[80, 1], offset: ?>, #hivm.address_space<gm>>
        %107 = "affine.apply"(%48) <{map = affine_map<()[s0] -> ((s0 + 15) floordiv 16)>}> : (index) -> index
        %108 = "memref.subview"(%65, %99, %107) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808, 16, 16>, static_strides = array<i64: 1, 1, 1, 1>}> : (memref<2x2x16x16xbf16, #hivm.address_space<cbuf>>, index, index) -> memref<?x?x16x16xbf16, strided<[512, 256, 16, 1]>, #hivm.address_space<cbuf>>
        "scf.if"(%105) ({
          "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
          %115 = "memref.collapse_shape"(%65) <{reassociation = [[0, 1, 2, 3]]}> : (memref<2x2x16x16xbf16, #hivm.address_space<cbuf>>) -> memref<1024xbf16, #hivm.address_space<cbuf>>
          "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
          %116 = "memref.cast"(%115) : (memref<1024xbf16, #hivm.address_space<cbuf>>) -> memref<?xbf16, strided<[?], offset: ?>, #hivm.address_space<cbuf>>
          "func.call"(%10, %116) <{callee = @set_l1_2d_bfloat16_t}> : (bf16, memref<?xbf16, strided<[?], offset: ?>, #hivm.address_space<cbuf>>) -> ()
          "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
          "scf.yield"() : () -> ()
        }, {
        }) {hivm.unlikely_condition} : (i1) -> ()
        "hivm.hir.wait_flag"(%83) <{set_pipe = #hivm.pipe<PIPE_MTE1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
        %109 = "memref.cast"(%106) : (memref<?x?xbf16, strided<[80, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<?x?xbf16, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>
        %110 = "memref.cast"(%108) : (memref<?x?x16x16xbf16, strided<[512, 256, 16, 1]>, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xbf16, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>
        "func.call"(%109, %110) <{callee = @nd2nz_bfloat16_t}> : (memref<?x?xbf16, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>, memref<?x?x?x?xbf16, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>) -> ()
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE1>}> : () -> ()
        %111 = "arith.cmpi"(%arg10, %3) <{predicate = 0 : i64}> : (i32, i32) -> i1
        %112 = "memref.cast"(%72) : (memref<2x2x16x16xbf16, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xbf16, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>
        %113 = "memref.cast"(%65) : (memref<2x2x16x16xbf16, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xbf16, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>
        %114 = "memref.cast"(%50) : (memref<2x2x16x16xf32, #hivm.address_space<cc>>) -> memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cc>>
        "func.call"(%112, %113, %111, %44, %94, %48, %114, %18, %12, %85, %83, %77, %16, %16, %2) <{callee = @mma_tile_bfloat16_t_to_float_ta_tb}> : (memref<?x?x?x?xbf16, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>, memref<?x?x?x?xbf16, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>, i1, index, index, index, memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cc>>, i64, i64, i64, i64, i64, i64, i64, i8) -> ()
        "scf.yield"() : () -> ()
      }) {fixpipe_for_mmad_result_already_inserted = true, pipeline.cubeonly} : (i32, i32, i32) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
      %51 = "affine.apply"(%40, %41) <{map = affine_map<()[s0, s1] -> (s0 + s1 * 72)>}> : (index, index) -> index
      %52 = "memref.reinterpret_cast"(%arg5, %51) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 32, 32>, static_strides = array<i64: 72, 1>}> : (memref<?xbf16, #hivm.address_space<gm>>, index) -> memref<32x32xbf16, strided<[72, 1], offset: ?>, #hivm.address_space<gm>>
      %53 = "affine.apply"(%44) <{map = affine_map<()[s0] -> ((s0 + 15) floordiv 16)>}> : (index) -> index
      %54 = "affine.apply"(%48) <{map = affine_map<()[s0] -> ((s0 + 15) floordiv 16)>}> : (index) -> index
      %55 = "memref.subview"(%50, %54, %53) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808, 16, 16>, static_strides = array<i64: 1, 1, 1, 1>}> : (memref<2x2x16x16xf32, #hivm.address_space<cc>>, index, index) -> memref<?x?x16x16xf32, strided<[512, 256, 16, 1]>, #hivm.address_space<cc>>
      %56 = "memref.subview"(%52, %44, %48) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<32x32xbf16, strided<[72, 1], offset: ?>, #hivm.address_space<gm>>, index, index) -> memref<?x?xbf16, strided<[72, 1], offset: ?>, #hivm.address_space<gm>>
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
      %57 = "memref.cast"(%55) : (memref<?x?x16x16xf32, strided<[512, 256, 16, 1]>, #hivm.address_space<cc>>) -> memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cc>>
      %58 = "memref.cast"(%56) : (memref<?x?xbf16, strided<[72, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<?x?xbf16, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>
      "func.call"(%57, %58, %1, %18, %0, %2) <{callee = @fixpipe_nz2nd_float_to_bfloat16_t_4d_to_2d}> : (memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cc>>, memref<?x?xbf16, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>, i64, i64, i1, i8) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_FIX>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_M>}> : () -> ()
      "scf.yield"() : () -> ()
    }) : (i32, i32, i32) -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_FIX>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_M>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID2>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID3>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID4>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()
    "func.return"() : () -> ()
  }) {SyncBlockLockArgIdx = 0 : i64, WorkspaceArgIdx = 1 : i64, func_dyn_memref_args = dense<[false, true, true, true, true, true, false, false, false]> : vector<9xi1>, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIC>, hivm.storage_aligned, mix_mode = "mix", parallel_mode = "simd"} : () -> ()
}) {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"AI_CORE_COUNT", 20 : i32>, #dlti.dl_entry<"CUBE_CORE_COUNT", 20 : i32>, #dlti.dl_entry<"VECTOR_CORE_COUNT", 40 : i32>, #dlti.dl_entry<"UB_SIZE", 1572864 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 1048576 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>>>, hivm.module_core_type = #hivm.module_core_type<AIC>} : () -> ()
