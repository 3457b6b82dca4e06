"builtin.module"() ({
  "func.func"() <{function_type = () -> i8, sym_name = "gemm_infer_task_type_function"}> ({
    %114 = "arith.constant"() <{value = 20 : i8}> : () -> i8
    "func.return"(%114) : (i8) -> ()
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
    %3 = "arith.constant"() <{value = 6 : i32}> : () -> i32
    %4 = "arith.constant"() <{value = 32 : i32}> : () -> i32
    %5 = "arith.constant"() <{value = 3 : i32}> : () -> i32
    %6 = "arith.constant"() <{value = 2 : i32}> : () -> i32
    %7 = "arith.constant"() <{value = 32 : index}> : () -> index
    %8 = "arith.constant"() <{value = 0.000000e+00 : f16}> : () -> f16
    %9 = "arith.constant"() <{value = 1 : i32}> : () -> i32
    %10 = "arith.constant"() <{value = 1 : i64}> : () -> i64
    %11 = "arith.constant"() <{value = 3 : i64}> : () -> i64
    %12 = "arith.constant"() <{value = 4 : i64}> : () -> i64
    %13 = "arith.constant"() <{value = 2 : i64}> : () -> i64
    %14 = "arith.constant"() <{value = -1 : i64}> : () -> i64
    %15 = "arith.constant"() <{value = 4096 : i64}> : () -> i64
    %16 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %17 = "arith.constant"() <{value = 2048 : i64}> : () -> i64
    %18 = "arith.constant"() <{value = 6144 : i64}> : () -> i64
    %19 = "hivm.hir.pointer_cast"(%17) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2x2x16x16xf16, #hivm.address_space<cbuf>>
    %20 = "hivm.hir.pointer_cast"(%18) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2x2x16x16xf16, #hivm.address_space<cbuf>>
    %21 = "hivm.hir.pointer_cast"(%16) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2x2x16x16xf16, #hivm.address_space<cbuf>>
    %22 = "hivm.hir.pointer_cast"(%15) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2x2x16x16xf16, #hivm.address_space<cbuf>>
    "hivm.hir.set_mask_norm"() : () -> ()
    %23 = "hivm.hir.get_block_idx"() : () -> i64
    %24 = "arith.trunci"(%23) : (i64) -> i32
    %25 = "arith.muli"(%arg8, %arg7) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %26 = "arith.divsi"(%24, %25) : (i32, i32) -> i32
    %27 = "arith.remsi"(%26, %arg6) : (i32, i32) -> i32
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID2>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID3>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID4>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_FIX>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_M>}> : () -> ()
    "scf.for"(%27, %3, %6) ({
    ^bb0(%arg9: i32):
      %28 = "arith.divsi"(%arg9, %5) : (i32, i32) -> i32
      %29 = "arith.remsi"(%arg9, %5) : (i32, i32) -> i32
      %30 = "arith.subi"(%6, %28) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %31 = "arith.minsi"(%30, %9) : (i32, i32) -> i32
      %32 = "arith.remsi"(%29, %31) : (i32, i32) -> i32
      %33 = "arith.addi"(%28, %32) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %34 = "arith.divsi"(%29, %31) : (i32, i32) -> i32
      %35 = "arith.muli"(%33, %4) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %36 = "arith.muli"(%34, %4) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %37 = "arith.index_cast"(%35) : (i32) -> index
      %38 = "affine.max"(%37) <{map = affine_map<()[s0] -> (40, s0)>}> : (index) -> index
      %39 = "affine.min"(%38, %37) <{map = affine_map<()[s0, s1] -> (s1 + 32, s0)>}> : (index, index) -> index
      %40 = "affine.min"(%39, %37) <{map = affine_map<()[s0, s1] -> (32, s0 - s1)>}> : (index, index) -> index
      %41 = "arith.cmpi"(%40, %7) <{predicate = 2 : i64}> : (index, index) -> i1
      %42 = "arith.index_cast"(%36) : (i32) -> index
      %43 = "affine.max"(%42) <{map = affine_map<()[s0] -> (72, s0)>}> : (index) -> index
      %44 = "affine.min"(%43, %42) <{map = affine_map<()[s0, s1] -> (s1 + 32, s0)>}> : (index, index) -> index
      %45 = "affine.min"(%44, %42) <{map = affine_map<()[s0, s1] -> (32, s0 - s1)>}> : (index, index) -> index
      %46 = "arith.cmpi"(%45, %7) <{predicate = 2 : i64}> : (index, index) -> i1
      %47 = "hivm.hir.pointer_cast"(%16) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2x2x16x16xf32, #hivm.address_space<cc>>
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_FIX>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_M>}> : () -> ()
      "scf.for"(%2, %5, %9) ({
      ^bb0(%arg10: i32):
        %56 = "arith.index_cast"(%arg10) : (i32) -> index
        %57 = "arith.index_cast"(%arg9) : (i32) -> index
        %58 = "arith.index_cast"(%27) : (i32) -> index
        %59 = "affine.apply"(%56, %57, %58) <{map = affine_map<()[s0, s1, s2] -> ((s0 + ((s1 - s2) floordiv 2) * 3) mod 2)>}> : (index, index, index) -> index
        %60 = "arith.index_cast"(%59) : (index) -> i64
        %61 = "arith.cmpi"(%60, %10) <{predicate = 0 : i64}> : (i64, i64) -> i1
        %62 = "arith.select"(%61, %20, %19) : (i1, memref<2x2x16x16xf16, #hivm.address_space<cbuf>>, memref<2x2x16x16xf16, #hivm.address_space<cbuf>>) -> memref<2x2x16x16xf16, #hivm.address_space<cbuf>>
        %63 = "arith.index_cast"(%arg10) : (i32) -> index
        %64 = "arith.index_cast"(%arg9) : (i32) -> index
        %65 = "arith.index_cast"(%27) : (i32) -> index
        %66 = "affine.apply"(%63, %64, %65) <{map = affine_map<()[s0, s1, s2] -> ((s0 + ((s1 - s2) floordiv 2) * 3) mod 2)>}> : (index, index, index) -> index
        %67 = "arith.index_cast"(%66) : (index) -> i64
        %68 = "arith.cmpi"(%67, %10) <{predicate = 0 : i64}> : (i64, i64) -> i1
        %69 = "arith.select"(%68, %22, %21) : (i1, memref<2x2x16x16xf16, #hivm.address_space<cbuf>>, memref<2x2x16x16xf16, #hivm.address_space<cbuf>>) -> memref<2x2x16x16xf16, #hivm.address_space<cbuf>>
        %70 = "arith.index_cast"(%arg10) : (i32) -> index
        %71 = "arith.index_cast"(%arg9) : (i32) -> index
        %72 = "arith.index_cast"(%27) : (i32) -> index
        %73 = "affine.apply"(%70, %71, %72) <{map = affine_map<()[s0, s1, s2] -> (s0 + ((s1 - s2) floordiv 2) * 3)>}> : (index, index, index) -> index
        %74 = "arith.index_cast"(%73) : (index) -> i64
        %75 = "arith.index_cast"(%arg10) : (i32) -> index
        %76 = "arith.index_cast"(%arg9) : (i32) -> index
        %77 = "arith.index_cast"(%27) : (i32) -> index
        %78 = "affine.apply"(%75, %76, %77) <{map = affine_map<()[s0, s1, s2] -> ((s0 + ((s1 - s2) floordiv 2) * 3) mod 2)>}> : (index, index, index) -> index
        %79 = "arith.index_cast"(%78) : (index) -> i1
        %80 = "arith.select"(%79, %11, %12) : (i1, i64, i64) -> i64
        %81 = "arith.index_cast"(%78) : (index) -> i1
        %82 = "arith.select"(%81, %10, %13) : (i1, i64, i64) -> i64
        %83 = "arith.muli"(%arg10, %4) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
        %84 = "arith.index_cast"(%83) : (i32) -> index
        %85 = "affine.apply"(%84, %37) <{map = affine_map<()[s0, s1] -> (s0 + s1 * 80)>}> : (index, index) -> index
        %86 = "memref.reinterpret_cast"(%arg3, %85) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 32, 32>, static_strides = array<i64: 80, 1>}> : (memref<?xf16, #hivm.address_space<gm>>, index) -> memref<32x32xf16, strided<[80, 1], offset: ?>, #hivm.address_space<gm>>
        %87 = "affine.max"(%84) <{map = affine_map<()[s0] -> (80, s0)>}> : (index) -> index
        %88 = "affine.min"(%87, %84) <{map = affine_map<()[s0, s1] -> (s1 + 32, s0)>}> : (index, index) -> index
        %89 = "affine.min"(%88, %84) <{map = affine_map<()[s0, s1] -> (32, s0 - s1)>}> : (index, index) -> index
        %90 = "arith.cmpi"(%89, %7) <{predicate = 2 : i64}> : (index, index) -> i1
        %91 = "arith.ori"(%41, %90) : (i1, i1) -> i1
        %92 = "memref.subview"(%86, %40, %89) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<32x32xf16, strided<[80, 1], offset: ?>, #hivm.address_space<gm>>, index, index) -> memref<?x?xf16, strided<[80, 1], offset: ?>, #hivm.address_space<gm>>
        %93 = "affine.apply"(%40) <{map = affine_map<()[s0] -> ((s0 + 15) floordiv 16)>}> : (index) -> index
        %94 = "affine.apply"(%89) <{map = affine_map<()[s0] -> ((s0 + 15) floordiv 16)>}> : (index) -> index
        %95 = "memref.subview"(%69, %94, %93) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808, 16, 16>, static_strides = array<i64: 1, 1, 1, 1>}> : (memref<2x2x16x16xf16, #hivm.address_space<cbuf>>, index, index) -> memref<?x?x16x16xf16, strided<[512, 256, 16, 1]>, #hivm.address_space<cbuf>>
        "scf.if"(%91) ({
          "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
          %112 = "memref.collapse_shape"(%69) <{reassociation = [[0, 1, 2, 3]]}> : (memref<2x2x16x16xf16, #hivm.address_space<cbuf>>) -> memref<1024xf16, #hivm.address_space<cbuf>>
          "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
          %113 = "memref.cast"(%112) : (memref<1024xf16, #hivm.address_space<cbuf>>) -> memref<?xf16, strided<[?], offset: ?>, #hivm.address_space<cbuf>>
          "func.call"(%8, %113) <{callee = @set_l1_2d_half}> : (f16, memref<?xf16, strided<[?], offset: ?>, #hivm.address_space<cbuf>>) -> ()
          "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
          "scf.yield"() : () -> ()
        }, {
        }) {hivm.unlikely_condition} : (i1) -> ()
        "hivm.hir.wait_flag"(%82) <{set_pipe = #hivm.pipe<PIPE_MTE1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
        %96 = "memref.cast"(%92) : (memref<?x?xf16, strided<[80, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<?x?xf16, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>
        %97 = "memref.cast"(%95) : (memref<?x?x16x16xf16, strided<[512, 256, 16, 1]>, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf16, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>
        "func.call"(%96, %97) <{callee = @nd2nz_half}> : (memref<?x?xf16, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>, memref<?x?x?x?xf16, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>) -> ()
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE1>}> : () -> ()
        %98 = "affine.apply"(%42, %84) <{map = affine_map<()[s0, s1] -> (s0 + s1 * 72)>}> : (index, index) -> index
        %99 = "memref.reinterpret_cast"(%arg4, %98) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 32, 32>, static_strides = array<i64: 72, 1>}> : (memref<?xf16, #hivm.address_space<gm>>, index) -> memref<32x32xf16, strided<[72, 1], offset: ?>, #hivm.address_space<gm>>
        %100 = "arith.ori"(%90, %46) : (i1, i1) -> i1
        %101 = "memref.subview"(%99, %89, %45) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<32x32xf16, strided<[72, 1], offset: ?>, #hivm.address_space<gm>>, index, index) -> memref<?x?xf16, strided<[72, 1], offset: ?>, #hivm.address_space<gm>>
        %102 = "affine.apply"(%45) <{map = affine_map<()[s0] -> ((s0 + 15) floordiv 16)>}> : (index) -> index
        %103 = "memref.subview"(%62, %102, %94) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808, 16, 16>, static_strides = array<i64: 1, 1, 1, 1>}> : (memref<2x2x16x16xf16, #hivm.address_space<cbuf>>, index, index) -> memref<?x?x16x16xf16, strided<[512, 256, 16, 1]>, #hivm.address_space<cbuf>>
        "scf.if"(%100) ({
          "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
          %110 = "memref.collapse_shape"(%62) <{reassociation = [[0, 1, 2, 3]]}> : (memref<2x2x16x16xf16, #hivm.address_space<cbuf>>) -> memref<1024xf16, #hivm.address_space<cbuf>>
          "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
          %111 = "memref.cast"(%110) : (memref<1024xf16, #hivm.address_space<cbuf>>) -> memref<?xf16, strided<[?], offset: ?>, #hivm.address_space<cbuf>>
          "func.call"(%8, %111) <{callee = @set_l1_2d_half}> : (f16, memref<?xf16, strided<[?], offset: ?>, #hivm.address_space<cbuf>>) -> ()
          "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
          "scf.yield"() : () -> ()
        }, {
        }) {hivm.unlikely_condition} : (i1) -> ()
        "hivm.hir.wait_flag"(%80) <{set_pipe = #hivm.pipe<PIPE_MTE1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
        %104 = "memref.cast"(%101) : (memref<?x?xf16, strided<[72, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<?x?xf16, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>
        %105 = "memref.cast"(%103) : (memref<?x?x16x16xf16, strided<[512, 256, 16, 1]>, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf16, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>
        "func.call"(%104, %105) <{callee = @nd2nz_half}> : (memref<?x?xf16, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>, memref<?x?x?x?xf16, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>) -> ()
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE1>}> : () -> ()
        %106 = "arith.cmpi"(%arg10, %2) <{predicate = 0 : i64}> : (i32, i32) -> i1
        %107 = "memref.cast"(%69) : (memref<2x2x16x16xf16, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf16, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>
        %108 = "memref.cast"(%62) : (memref<2x2x16x16xf16, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf16, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>
        %109 = "memref.cast"(%47) : (memref<2x2x16x16xf32, #hivm.address_space<cc>>) -> memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cc>>
        "func.call"(%107, %108, %106, %40, %89, %45, %109, %16, %10, %82, %80, %74, %14, %14, %1) <{callee = @mma_tile_half_to_float}> : (memref<?x?x?x?xf16, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>, memref<?x?x?x?xf16, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>, i1, index, index, index, memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cc>>, i64, i64, i64, i64, i64, i64, i64, i8) -> ()
        "scf.yield"() : () -> ()
      }) {fixpipe_for_mmad_result_already_inserted = true, pipeline.cubeonly} : (i32, i32, i32) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
      %48 = "affine.apply"(%42, %37) <{map = affine_map<()[s0, s1] -> (s0 + s1 * 72)>}> : (index, index) -> index
      %49 = "memref.reinterpret_cast"(%arg5, %48) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 32, 32>, static_strides = array<i64: 72, 1>}> : (memref<?xf16, #hivm.address_space<gm>>, index) -> memref<32x32xf16, strided<[72, 1], offset: ?>, #hivm.address_space<gm>>
      %50 = "affine.apply"(%40) <{map = affine_map<()[s0] -> ((s0 + 15) floordiv 16)>}> : (index) -> index
      %51 = "affine.apply"(%45) <{map = affine_map<()[s0] -> ((s0 + 15) floordiv 16)>}> : (index) -> index
      %52 = "memref.subview"(%47, %51, %50) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808, 16, 16>, static_strides = array<i64: 1, 1, 1, 1>}> : (memref<2x2x16x16xf32, #hivm.address_space<cc>>, index, index) -> memref<?x?x16x16xf32, strided<[512, 256, 16, 1]>, #hivm.address_space<cc>>
      %53 = "memref.subview"(%49, %40, %45) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<32x32xf16, strided<[72, 1], offset: ?>, #hivm.address_space<gm>>, index, index) -> memref<?x?xf16, strided<[72, 1], offset: ?>, #hivm.address_space<gm>>
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
      %54 = "memref.cast"(%52) : (memref<?x?x16x16xf32, strided<[512, 256, 16, 1]>, #hivm.address_space<cc>>) -> memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cc>>
      %55 = "memref.cast"(%53) : (memref<?x?xf16, strided<[72, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<?x?xf16, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>
      "func.call"(%54, %55, %10, %16, %0, %1) <{callee = @fixpipe_nz2nd_float_to_half_4d_to_2d}> : (memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cc>>, memref<?x?xf16, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>, i64, i64, i1, i8) -> ()
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
