"builtin.module"() ({
  "func.func"() <{function_type = () -> i8, sym_name = "gemm_infer_task_type_function"}> ({
    %108 = "arith.constant"() <{value = 20 : i8}> : () -> i8
    "func.return"(%108) : (i8) -> ()
  }) {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<infer_task_type_function>} : () -> ()
  "func.func"() <{function_type = (f16, memref<?xf16, strided<[?], offset: ?>, #hivm.address_space<cbuf>>) -> (), sym_name = "set_l1_2d_half", sym_visibility = "private"}> ({
  }) {hacc.always_inline, hivm.func_core_type = #hivm.func_core_type<AIC>, llvm.emit_c_interface} : () -> ()
  "func.func"() <{function_type = (memref<?x?xf16, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>, memref<?x?x?x?xf16, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>) -> (), sym_name = "nd2nz_half", sym_visibility = "private"}> ({
  }) {hacc.always_inline, hivm.func_core_type = #hivm.func_core_type<AIC>, llvm.emit_c_interface} : () -> ()
  "func.func"() <{function_type = (memref<?x?x?x?xf16, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>, memref<?x?x?x?xf16, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>, i1, index, index, index, memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cc>>, i64, i64, i64, i64, i64, i64, i64, i8) -> (), sym_name = "mma_tile_half_to_float", sym_visibility = "private"}> ({
  }) {hacc.always_inline, hivm.func_core_type = #hivm.func_core_type<AIC>, llvm.emit_c_interface} : () -> ()
  "func.func"() <{function_type = (memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cc>>, memref<?x?xf16, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>, i64, i64, i1, i8) -> (), sym_name = "fixpipe_nz2nd_float_to_half_4d_to_2d", sym_visibility = "private"}> ({
  }) {hacc.always_inline, hivm.func_core_type = #hivm.func_core_type<AIC>, llvm.emit_c_interface} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<sync_block_lock>}, {hacc.arg_type = #hacc.arg_type<workspace>}, {tt.tensor_kind = 0 : i32}, {tt.tensor_kind = 0 : i32}, {tt.tensor_kind = 1 : i32}, {}, {}, {}], function_type = (i64, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xf16, #hivm.address_space<gm>>, memref<?xf16, #hivm.address_space<gm>>, memref<?xf16, #hivm.address_space<gm>>, i32, i32, i32) -> (), sym_name = "gemm"}> ({
  ^bb0(%arg0: i64, %arg1: memref<?xi8, #hivm.address_space<gm>>, %arg2: memref<?xi8, #hivm.address_space<gm>>, %arg3: memref<?xf16, #hivm.address_space<gm>>, %arg4: memref<?xf16, #hivm.address_space<gm>>, %arg5: memref<?xf16, #hivm.address_space<gm>>, %arg6: i32, %arg7: i32, %arg8: i32):
    %0 = "arith.constant"() <{value = false}> : () -> i1
    %1 = "arith.constant"() <{value = 0 : i8}> : () -> i8
    %2 = "arith.constant"() <{value = 0 : i32}> : () -> i32
    %3 = "arith.constant"() <{value = 32 : i32}> : () -> i32
    %4 = "arith.constant"() <{value = 2 : i32}> : () -> i32
    %5 = "arith.constant"() <{value = 4 : i32}> : () -> i32
    %6 = "arith.constant"() <{value = 32 : index}> : () -> index
    %7 = "arith.constant"() <{value = 0.000000e+00 : f16}> : () -> f16
    %8 = "arith.constant"() <{value = 1 : i32}> : () -> i32
    %9 = "arith.constant"() <{value = 1 : i64}> : () -> i64
    %10 = "arith.constant"() <{value = 3 : i64}> : () -> i64
    %11 = "arith.constant"() <{value = 4 : i64}> : () -> i64
    %12 = "arith.constant"() <{value = 2 : i64}> : () -> i64
    %13 = "arith.constant"() <{value = -1 : i64}> : () -> i64
    %14 = "arith.constant"() <{value = 4096 : i64}> : () -> i64
    %15 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %16 = "arith.constant"() <{value = 2048 : i64}> : () -> i64
    %17 = "arith.constant"() <{value = 6144 : i64}> : () -> i64
    %18 = "hivm.hir.pointer_cast"(%16) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2x2x16x16xf16, #hivm.address_space<cbuf>>
    %19 = "hivm.hir.pointer_cast"(%17) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2x2x16x16xf16, #hivm.address_space<cbuf>>
    %20 = "hivm.hir.pointer_cast"(%15) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2x2x16x16xf16, #hivm.address_space<cbuf>>
    %21 = "hivm.hir.pointer_cast"(%14) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2x2x16x16xf16, #hivm.address_space<cbuf>>
    "hivm.hir.set_mask_norm"() : () -> ()
    %22 = "hivm.hir.get_block_idx"() : () -> i64
    %23 = "arith.trunci"(%22) : (i64) -> i32
    %24 = "arith.muli"(%arg8, %arg7) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %25 = "arith.divsi"(%23, %24) : (i32, i32) -> i32
    %26 = "arith.remsi"(%25, %arg6) : (i32, i32) -> i32
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID2>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID3>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID4>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_FIX>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_M>}> : () -> ()
    "scf.for"(%26, %5, %4) ({
    ^bb0(%arg9: i32):
      %27 = "arith.divsi"(%arg9, %5) : (i32, i32) -> i32
      %28 = "arith.remsi"(%arg9, %5) : (i32, i32) -> i32
      %29 = "arith.muli"(%27, %4) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %30 = "arith.subi"(%4, %29) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %31 = "arith.minsi"(%30, %4) : (i32, i32) -> i32
      %32 = "arith.remsi"(%28, %31) : (i32, i32) -> i32
      %33 = "arith.addi"(%29, %32) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %34 = "arith.divsi"(%28, %31) : (i32, i32) -> i32
      %35 = "arith.muli"(%33, %3) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %36 = "arith.muli"(%34, %3) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %37 = "arith.index_cast"(%35) : (i32) -> index
      %38 = "affine.max"(%37) <{map = affine_map<()[s0] -> (64, s0)>}> : (index) -> index
      %39 = "affine.min"(%38, %37) <{map = affine_map<()[s0, s1] -> (s1 + 32, s0)>}> : (index, index) -> index
      %40 = "affine.min"(%39, %37) <{map = affine_map<()[s0, s1] -> (32, s0 - s1)>}> : (index, index) -> index
      %41 = "arith.cmpi"(%40, %6) <{predicate = 2 : i64}> : (index, index) -> i1
      %42 = "arith.index_cast"(%36) : (i32) -> index
      %43 = "affine.max"(%42) <{map = affine_map<()[s0] -> (64, s0)>}> : (index) -> index
      %44 = "affine.min"(%43, %42) <{map = affine_map<()[s0, s1] -> (s1 + 32, s0)>}> : (index, index) -> index
      %45 = "affine.min"(%44, %42) <{map = affine_map<()[s0, s1] -> (32, s0 - s1)>}> : (index, index) -> index
      %46 = "arith.cmpi"(%45, %6) <{predicate = 2 : i64}> : (index, index) -> i1
      %47 = "hivm.hir.pointer_cast"(%15) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2x2x16x16xf32, #hivm.address_space<cc>>
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_FIX>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_M>}> : () -> ()
      "scf.for"(%2, %5, %8) ({
      ^bb0(%arg10: i32):
        %56 = "arith.index_cast"(%arg10) : (i32) -> index
        %57 = "affine.apply"(%56) <{map = affine_map<()[s0] -> (s0 mod 2)>}> : (index) -> index
        %58 = "arith.index_cast"(%57) : (index) -> i64
        %59 = "arith.cmpi"(%58, %9) <{predicate = 0 : i64}> : (i64, i64) -> i1
        %60 = "arith.select"(%59, %19, %18) : (i1, memref<2x2x16x16xf16, #hivm.address_space<cbuf>>, memref<2x2x16x16xf16, #hivm.address_space<cbuf>>) -> memref<2x2x16x16xf16, #hivm.address_space<cbuf>>
        %61 = "arith.index_cast"(%arg10) : (i32) -> index
        %62 = "affine.apply"(%61) <{map = affine_map<()[s0] -> (s0 mod 2)>}> : (index) -> index
        %63 = "arith.index_cast"(%62) : (index) -> i64
        %64 = "arith.cmpi"(%63, %9) <{predicate = 0 : i64}> : (i64, i64) -> i1
        %65 = "arith.select"(%64, %21, %20) : (i1, memref<2x2x16x16xf16, #hivm.address_space<cbuf>>, memref<2x2x16x16xf16, #hivm.address_space<cbuf>>) -> memref<2x2x16x16xf16, #hivm.address_space<cbuf>>
        %66 = "arith.index_cast"(%arg10) : (i32) -> index
        %67 = "arith.index_cast"(%arg9) : (i32) -> index
        %68 = "arith.index_cast"(%26) : (i32) -> index
        %69 = "affine.apply"(%66, %67, %68) <{map = affine_map<()[s0, s1, s2] -> (s0 + ((s1 - s2) floordiv 2) * 4)>}> : (index, index, index) -> index
        %70 = "arith.index_cast"(%69) : (index) -> i64
        %71 = "arith.index_cast"(%arg10) : (i32) -> index
        %72 = "affine.apply"(%71) <{map = affine_map<()[s0] -> (s0 mod 2)>}> : (index) -> index
        %73 = "arith.index_cast"(%72) : (index) -> i1
        %74 = "arith.select"(%73, %10, %11) : (i1, i64, i64) -> i64
        %75 = "arith.index_cast"(%72) : (index) -> i1
        %76 = "arith.select"(%75, %9, %12) : (i1, i64, i64) -> i64
        %77 = "arith.muli"(%arg10, %3) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
        %78 = "arith.index_cast"(%77) : (i32) -> index
        %79 = "affine.apply"(%78, %37) <{map = affine_map<()[s0, s1] -> (s0 + s1 * 128)>}> : (index, index) -> index
        %80 = "memref.reinterpret_cast"(%arg3, %79) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 32, 32>, static_strides = array<i64: 128, 1>}> : (memref<?xf16, #hivm.address_space<gm>>, index) -> memref<32x32xf16, strided<[128, 1], offset: ?>, #hivm.address_space<gm>>
        %81 = "affine.max"(%78) <{map = affine_map<()[s0] -> (128, s0)>}> : (index) -> index
        %82 = "affine.min"(%81, %78) <{map = affine_map<()[s0, s1] -> (s1 + 32, s0)>}> : (index, index) -> index
        %83 = "affine.min"(%82, %78) <{map = affine_map<()[s0, s1] -> (32, s0 - s1)>}> : (index, index) -> index
        %84 = "arith.cmpi"(%83, %6) <{predicate = 2 : i64}> : (index, index) -> i1
        %85 = "arith.ori"(%41, %84) : (i1, i1) -> i1
        %86 = "memref.subview"(%80, %40, %83) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<32x32xf16, strided<[128, 1], offset: ?>, #hivm.address_space<gm>>, index, index) -> memref<?x?xf16, strided<[128, 1], offset: ?>, #hivm.address_space<gm>>
        %87 = "affine.apply"(%40) <{map = affine_map<()[s0] -> ((s0 + 15) floordiv 16)>}> : (index) -> index
        %88 = "affine.apply"(%83) <{map = affine_map<()[s0] -> ((s0 + 15) floordiv 16)>}> : (index) -> index
        %89 = "memref.subview"(%65, %88, %87) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808, 16, 16>, static_strides = array<i64: 1, 1, 1, 1>}> : (memref<2x2x16x16xf16, #hivm.address_space<cbuf>>, index, index) -> memref<?x?x16x16xf16, strided<[512, 256, 16, 1]>, #hivm.address_space<cbuf>>
        "scf.if"(%85) ({
          "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
          %106 = "memref.collapse_shape"(%65) <{reassociation = [[0, 1, 2, 3]]}> : (memref<2x2x16x16xf16, #hivm.address_space<cbuf>>) -> memref<1024xf16, #hivm.address_space<cbuf>>
          "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
          %107 = "memref.cast"(%106) : (memref<1024xf16, #hivm.address_space<cbuf>>) -> memref<?xf16, strided<[?], offset: ?>, #hivm.address_space<cbuf>>
          "func.call"(%7, %107) <{callee = @set_l1_2d_half}> : (f16, memref<?xf16, strided<[?], offset: ?>, #hivm.address_space<cbuf>>) -> ()
          "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
          "scf.yield"() : () -> ()
        }, {
        }) {hivm.unlikely_condition} : (i1) -> ()
        "hivm.hir.wait_flag"(%76) <{set_pipe = #hivm.pipe<PIPE_MTE1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
        %90 = "memref.cast"(%86) : (memref<?x?xf16, strided<[128, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<?x?xf16, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>
        %91 = "memref.cast"(%89) : (memref<?x?x16x16xf16, strided<[512, 256, 16, 1]>, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf16, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>
        "func.call"(%90, %91) <{callee = @nd2nz_half}> : (memref<?x?xf16, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>, memref<?x?x?x?xf16, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>) -> ()
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE1>}> : () -> ()
        %92 = "affine.apply"(%42, %78) <{map = affine_map<()[s0, s1] -> (s0 + s1 * 64)>}> : (index, index) -> index
        %93 = "memref.reinterpret_cast"(%arg4, %92) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 32, 32>, static_strides = array<i64: 64, 1>}> : (memref<?xf16, #hivm.address_space<gm>>, index) -> memref<32x32xf16, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
        %94 = "arith.ori"(%84, %46) : (i1, i1) -> i1
        %95 = "memref.subview"(%93, %83, %45) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<32x32xf16, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>, index, index) -> memref<?x?xf16, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
        %96 = "affine.apply"(%45) <{map = affine_map<()[s0] -> ((s0 + 15) floordiv 16)>}> : (index) -> index
        %97 = "memref.subview"(%60, %96, %88) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808, 16, 16>, static_strides = array<i64: 1, 1, 1, 1>}> : (memref<2x2x16x16xf16, #hivm.address_space<cbuf>>, index, index) -> memref<?x?x16x16xf16, strided<[512, 256, 16, 1]>, #hivm.address_space<cbuf>>
        "scf.if"(%94) ({
          "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
          %104 = "memref.collapse_shape"(%60) <{reassociation = [[0, 1, 2, 3]]}> : (memref<2x2x16x16xf16, #hivm.address_space<cbuf>>) -> memref<1024xf16, #hivm.address_space<cbuf>>
          "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
          %105 = "memref.cast"(%104) : (memref<1024xf16, #hivm.address_space<cbuf>>) -> memref<?xf16, strided<[?], offset: ?>, #hivm.address_space<cbuf>>
          "func.call"(%7, %105) <{callee = @set_l1_2d_half}> : (f16, memref<?xf16, strided<[?], offset: ?>, #hivm.address_space<cbuf>>) -> ()
          "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
          "scf.yield"() : () -> ()
        }, {
        }) {hivm.unlikely_condition} : (i1) -> ()
        "hivm.hir.wait_flag"(%74) <{set_pipe = #hivm.pipe<PIPE_MTE1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
        %98 = "memref.cast"(%95) : (memref<?x?xf16, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<?x?xf16, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>
        %99 = "memref.cast"(%97) : (memref<?x?x16x16xf16, strided<[512, 256, 16, 1]>, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf16, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>
        "func.call"(%98, %99) <{callee = @nd2nz_half}> : (memref<?x?xf16, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>, memref<?x?x?x?xf16, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>) -> ()
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE1>}> : () -> ()
        %100 = "arith.cmpi"(%arg10, %2) <{predicate = 0 : i64}> : (i32, i32) -> i1
        %101 = "memref.cast"(%65) : (memref<2x2x16x16xf16, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf16, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>
        %102 = "memref.cast"(%60) : (memref<2x2x16x16xf16, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf16, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>
        %103 = "memref.cast"(%47) : (memref<2x2x16x16xf32, #hivm.address_space<cc>>) -> memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cc>>
        "func.call"(%101, %102, %100, %40, %83, %45, %103, %15, %9, %76, %74, %70, %13, %13, %1) <{callee = @mma_tile_half_to_float}> : (memref<?x?x?x?xf16, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>, memref<?x?x?x?xf16, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>, i1, index, index, index, memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cc>>, i64, i64, i64, i64, i64, i64, i64, i8) -> ()
        "scf.yield"() : () -> ()
      }) {fixpipe_for_mmad_result_already_inserted = true, pipeline.cubeonly} : (i32, i32, i32) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
      %48 = "affine.apply"(%42, %37) <{map = affine_map<()[s0, s1] -> (s0 + s1 * 64)>}> : (index, index) -> index
      %49 = "memref.reinterpret_cast"(%arg5, %48) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 32, 32>, static_strides = array<i64: 64, 1>}> : (memref<?xf16, #hivm.address_space<gm>>, index) -> memref<32x32xf16, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
      %50 = "affine.apply"(%40) <{map = affine_map<()[s0] -> ((s0 + 15) floordiv 16)>}> : (index) -> index
      %51 = "affine.apply"(%45) <{map = affine_map<()[s0] -> ((s0 + 15) floordiv 16)>}> : (index) -> index
      %52 = "memref.subview"(%47, %51, %50) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808, 16, 16>, static_strides = array<i64: 1, 1, 1, 1>}> : (memref<2x2x16x16xf32, #hivm.address_space<cc>>, index, index) -> memref<?x?x16x16xf32, strided<[512, 256, 16, 1]>, #hivm.address_space<cc>>
      %53 = "memref.subview"(%49, %40, %45) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<32x32xf16, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>, index, index) -> memref<?x?xf16, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
      %54 = "memref.cast"(%52) : (memref<?x?x16x16xf32, strided<[512, 256, 16, 1]>, #hivm.address_space<cc>>) -> memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cc>>
      %55 = "memref.cast"(%53) : (memref<?x?xf16, strided<[64, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<?x?xf16, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>
      "func.call"(%54, %55, %9, %15, %0, %1) <{callee = @fixpipe_nz2nd_float_to_half_4d_to_2d}> : (memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cc>>, memref<?x?xf16, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>, i64, i64, i1, i8) -> ()
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
