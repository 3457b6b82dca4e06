"builtin.module"() ({
  "func.func"() <{function_type = () -> i8, sym_name = "gemm_infer_task_type_function"}> ({
    %88 = "arith.constant"() <{value = 20 : i8}> : () -> i8
    "func.return"(%88) : (i8) -> ()
  }) {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<infer_task_type_function>} : () -> ()
  "func.func"() <{function_type = (f32, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<cbuf>>) -> (), sym_name = "set_l1_2d_float", sym_visibility = "private"}> ({
  }) {hacc.always_inline, hivm.func_core_type = #hivm.func_core_type<AIC>, llvm.emit_c_interface} : () -> ()
  "func.func"() <{function_type = (memref<?x?xf32, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>, memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>) -> (), sym_name = "nd2nz_float", sym_visibility = "private"}> ({
  }) {hacc.always_inline, hivm.func_core_type = #hivm.func_core_type<AIC>, llvm.emit_c_interface} : () -> ()
  "func.func"() <{function_type = (memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>, memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>, i1, index, index, index, memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cc>>, i64, i64, i64, i64, i64, i64, i64, i8) -> (), sym_name = "mma_tile_float_to_float_tb", sym_visibility = "private"}> ({
  }) {hacc.always_inline, hivm.func_core_type = #hivm.func_core_type<AIC>, llvm.emit_c_interface} : () -> ()
  "func.func"() <{function_type = (memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cc>>, memref<?x?xf32, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>, i64, i64, i1, i8) -> (), sym_name = "fixpipe_nz2nd_float_to_float_4d_to_2d", sym_visibility = "private"}> ({
  }) {hacc.always_inline, hivm.func_core_type = #hivm.func_core_type<AIC>, llvm.emit_c_interface} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<sync_block_lock>}, {hacc.arg_type = #hacc.arg_type<workspace>}, {tt.tensor_kind = 0 : i32}, {tt.tensor_kind = 0 : i32}, {tt.tensor_kind = 1 : i32}, {}, {}, {}], function_type = (i64, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, i32, i32, i32) -> (), sym_name = "gemm"}> ({
  ^bb0(%arg0: i64, %arg1: memref<?xi8, #hivm.address_space<gm>>, %arg2: memref<?xi8, #hivm.address_space<gm>>, %arg3: memref<?xf32, #hivm.address_space<gm>>, %arg4: memref<?xf32, #hivm.address_space<gm>>, %arg5: memref<?xf32, #hivm.address_space<gm>>, %arg6: i32, %arg7: i32, %arg8: i32):
    %0 = "arith.constant"() <{value = false}> : () -> i1
    %1 = "arith.constant"() <{value = 0 : i8}> : () -> i8
    %2 = "arith.constant"() <{value = -1 : i64}> : () -> i64
    %3 = "arith.constant"() <{value = 2 : i64}> : () -> i64
    %4 = "arith.constant"() <{value = 1 : i64}> : () -> i64
    %5 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %6 = "arith.constant"() <{value = 2048 : i64}> : () -> i64
    %7 = "arith.constant"() <{value = 1 : i32}> : () -> i32
    %8 = "arith.constant"() <{value = 16 : index}> : () -> index
    %9 = "arith.constant"() <{value = 32 : index}> : () -> index
    %10 = "arith.constant"() <{value = 2 : i32}> : () -> i32
    %11 = "arith.constant"() <{value = 32 : i32}> : () -> i32
    %12 = "arith.constant"() <{value = 16 : i32}> : () -> i32
    %13 = "arith.constant"() <{value = 4 : i32}> : () -> i32
    %14 = "arith.constant"() <{value = 0 : i32}> : () -> i32
    %15 = "arith.constant"() <{value = 3 : i32}> : () -> i32
    %16 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    "hivm.hir.set_mask_norm"() : () -> ()
    %17 = "hivm.hir.get_block_idx"() : () -> i64
    %18 = "arith.trunci"(%17) : (i64) -> i32
    %19 = "arith.muli"(%arg8, %arg7) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %20 = "arith.divsi"(%18, %19) : (i32, i32) -> i32
    %21 = "arith.remsi"(%20, %arg6) : (i32, i32) -> i32
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID2>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_FIX>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_M>}> : () -> ()
    "scf.for"(%21, %13, %10) ({
    ^bb0(%arg9: i32):
      %22 = "arith.divsi"(%arg9, %10) : (i32, i32) -> i32
      %23 = "arith.remsi"(%arg9, %10) : (i32, i32) -> i32
      %24 = "arith.subi"(%10, %22) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %25 = "arith.minsi"(%24, %7) : (i32, i32) -> i32
      %26 = "arith.remsi"(%23, %25) : (i32, i32) -> i32
      %27 = "arith.addi"(%22, %26) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %28 = "arith.divsi"(%23, %25) : (i32, i32) -> i32
      %29 = "arith.muli"(%27, %11) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %30 = "arith.muli"(%28, %11) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %31 = "arith.index_cast"(%29) : (i32) -> index
      %32 = "arith.index_cast"(%30) : (i32) -> index
      %33 = "affine.max"(%31) <{map = affine_map<()[s0] -> (40, s0)>}> : (index) -> index
      %34 = "affine.min"(%33, %31) <{map = affine_map<()[s0, s1] -> (s1 + 32, s0)>}> : (index, index) -> index
      %35 = "affine.min"(%34, %31) <{map = affine_map<()[s0, s1] -> (32, s0 - s1)>}> : (index, index) -> index
      %36 = "arith.cmpi"(%35, %9) <{predicate = 2 : i64}> : (index, index) -> i1
      %37 = "affine.max"(%32) <{map = affine_map<()[s0] -> (56, s0)>}> : (index) -> index
      %38 = "affine.min"(%37, %32) <{map = affine_map<()[s0, s1] -> (s1 + 32, s0)>}> : (index, index) -> index
      %39 = "affine.min"(%38, %32) <{map = affine_map<()[s0, s1] -> (32, s0 - s1)>}> : (index, index) -> index
      %40 = "arith.cmpi"(%39, %9) <{predicate = 2 : i64}> : (index, index) -> i1
      %41 = "hivm.hir.pointer_cast"(%5) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2x2x16x16xf32, #hivm.address_space<cc>>
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_FIX>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_M>}> : () -> ()
      "scf.for"(%14, %15, %7) ({
      ^bb0(%arg10: i32):
        %50 = "arith.index_cast"(%arg10) : (i32) -> index
        %51 = "arith.index_cast"(%arg9) : (i32) -> index
        %52 = "arith.index_cast"(%21) : (i32) -> index
        %53 = "affine.apply"(%50, %51, %52) <{map = affine_map<()[s0, s1, s2] -> (s0 + ((s1 - s2) floordiv 2) * 3)>}> : (index, index, index) -> index
        %54 = "arith.index_cast"(%53) : (index) -> i64
        %55 = "arith.muli"(%arg10, %12) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
        %56 = "arith.index_cast"(%55) : (i32) -> index
        %57 = "affine.apply"(%56, %31) <{map = affine_map<()[s0, s1] -> (s0 + s1 * 40)>}> : (index, index) -> index
        %58 = "memref.reinterpret_cast"(%arg3, %57) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 32, 16>, static_strides = array<i64: 40, 1>}> : (memref<?xf32, #hivm.address_space<gm>>, index) -> memref<32x16xf32, strided<[40, 1], offset: ?>, #hivm.address_space<gm>>
        %59 = "hivm.hir.pointer_cast"(%5) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2x2x16x8xf32, #hivm.address_space<cbuf>>
        %60 = "affine.max"(%56) <{map = affine_map<()[s0] -> (40, s0)>}> : (index) -> index
        %61 = "affine.min"(%60, %56) <{map = affine_map<()[s0, s1] -> (s1 + 16, s0)>}> : (index, index) -> index
        %62 = "affine.min"(%61, %56) <{map = affine_map<()[s0, s1] -> (16, s0 - s1)>}> : (index, index) -> index
        %63 = "arith.cmpi"(%62, %8) <{predicate = 2 : i64}> : (index, index) -> i1
        %64 = "arith.ori"(%36, %63) : (i1, i1) -> i1
        %65 = "memref.subview"(%58, %35, %62) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<32x16xf32, strided<[40, 1], offset: ?>, #hivm.address_space<gm>>, index, index) -> memref<?x?xf32, strided<[40, 1], offset: ?>, #hivm.address_space<gm>>
        %66 = "affine.apply"(%35) <{map = affine_map<()[s0] -> ((s0 + 15) floordiv 16)>}> : (index) -> index
        %67 = "affine.apply"(%62) <{map = affine_map<()[s0] -> ((s0 + 7) floordiv 8)>}> : (index) -> index
        %68 = "memref.subview"(%59, %67, %66) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808, 16, 8>, static_strides = array<i64: 1, 1, 1, 1>}> : (memref<2x2x16x8xf32, #hivm.address_space<cbuf>>, index, index) -> memref<?x?x16x8xf32, strided<[256, 128, 8, 1]>, #hivm.address_space<cbuf>>
        "scf.if"(%64) ({
          "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
          %86 = "memref.collapse_shape"(%59) <{reassociation = [[0, 1, 2, 3]]}> : (memref<2x2x16x8xf32, #hivm.address_space<cbuf>>) -> memref<512xf32, #hivm.address_space<cbuf>>
          "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
          %87 = "memref.cast"(%86) : (memref<512xf32, #hivm.address_space<cbuf>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<cbuf>>
          "func.call"(%16, %87) <{callee = @set_l1_2d_float}> : (f32, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<cbuf>>) -> ()
          "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
          "scf.yield"() : () -> ()
        }, {
        }) {hivm.unlikely_condition} : (i1) -> ()
        "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        %69 = "memref.cast"(%65) : (memref<?x?xf32, strided<[40, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<?x?xf32, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>
        %70 = "memref.cast"(%68) : (memref<?x?x16x8xf32, strided<[256, 128, 8, 1]>, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>
        "func.call"(%69, %70) <{callee = @nd2nz_float}> : (memref<?x?xf32, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>, memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>) -> ()
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE1>}> : () -> ()
        %71 = "affine.apply"(%56, %32) <{map = affine_map<()[s0, s1] -> (s0 + s1 * 40)>}> : (index, index) -> index
        %72 = "memref.reinterpret_cast"(%arg4, %71) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 32, 16>, static_strides = array<i64: 40, 1>}> : (memref<?xf32, #hivm.address_space<gm>>, index) -> memref<32x16xf32, strided<[40, 1], offset: ?>, #hivm.address_space<gm>>
        %73 = "hivm.hir.pointer_cast"(%6) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2x2x16x8xf32, #hivm.address_space<cbuf>>
        %74 = "arith.ori"(%40, %63) : (i1, i1) -> i1
        %75 = "memref.subview"(%72, %39, %62) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<32x16xf32, strided<[40, 1], offset: ?>, #hivm.address_space<gm>>, index, index) -> memref<?x?xf32, strided<[40, 1], offset: ?>, #hivm.address_space<gm>>
        %76 = "affine.apply"(%39) <{map = affine_map<()[s0] -> ((s0 + 15) floordiv 16)>}> : (index) -> index
        %77 = "memref.subview"(%73, %67, %76) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808, 16, 8>, static_strides = array<i64: 1, 1, 1, 1>}> : (memref<2x2x16x8xf32, #hivm.address_space<cbuf>>, index, index) -> memref<?x?x16x8xf32, strided<[256, 128, 8, 1]>, #hivm.address_space<cbuf>>
        "scf.if"(%74) ({
          "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
          %84 = "memref.collapse_shape"(%73) <{reassociation = [[0, 1, 2, 3]]}> : (memref<2x2x16x8xf32, #hivm.address_space<cbuf>>) -> memref<512xf32, #hivm.address_space<cbuf>>
          "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
          %85 = "memref.cast"(%84) : (memref<512xf32, #hivm.address_space<cbuf>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<cbuf>>
          "func.call"(%16, %85) <{callee = @set_l1_2d_float}> : (f32, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<cbuf>>) -> ()
          "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
          "scf.yield"() : () -> ()
        }, {
        }) {hivm.unlikely_condition} : (i1) -> ()
        "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID2>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        %78 = "memref.cast"(%75) : (memref<?x?xf32, strided<[40, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<?x?xf32, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>
        %79 = "memref.cast"(%77) : (memref<?x?x16x8xf32, strided<[256, 128, 8, 1]>, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>
        "func.call"(%78, %79) <{callee = @nd2nz_float}> : (memref<?x?xf32, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>, memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>) -> ()
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE1>}> : () -> ()
        %80 = "arith.cmpi"(%arg10, %14) <{predicate = 0 : i64}> : (i32, i32) -> i1
        %81 = "memref.cast"(%59) : (memref<2x2x16x8xf32, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>
        %82 = "memref.cast"(%73) : (memref<2x2x16x8xf32, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>
        %83 = "memref.cast"(%41) : (memref<2x2x16x16xf32, #hivm.address_space<cc>>) -> memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cc>>
        "func.call"(%81, %82, %80, %35, %62, %39, %83, %5, %4, %4, %3, %54, %2, %2, %1) <{callee = @mma_tile_float_to_float_tb}> : (memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>, memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>, i1, index, index, index, memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cc>>, i64, i64, i64, i64, i64, i64, i64, i8) -> ()
        "scf.yield"() : () -> ()
      }) {fixpipe_for_mmad_result_already_inserted = true, pipeline.cubeonly} : (i32, i32, i32) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
      %42 = "affine.apply"(%32, %31) <{map = affine_map<()[s0, s1] -> (s0 + s1 * 56)>}> : (index, index) -> index
      %43 = "memref.reinterpret_cast"(%arg5, %42) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 32, 32>, static_strides = array<i64: 56, 1>}> : (memref<?xf32, #hivm.address_space<gm>>, index) -> memref<32x32xf32, strided<[56, 1], offset: ?>, #hivm.address_space<gm>>
      %44 = "affine.apply"(%35) <{map = affine_map<()[s0] -> ((s0 + 15) floordiv 16)>}> : (index) -> index
      %45 = "affine.apply"(%39) <{map = affine_map<()[s0] -> ((s0 + 15) floordiv 16)>}> : (index) -> index
      %46 = "memref.subview"(%41, %45, %44) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808, 16, 16>, static_strides = array<i64: 1, 1, 1, 1>}> : (memref<2x2x16x16xf32, #hivm.address_space<cc>>, index, index) -> memref<?x?x16x16xf32, strided<[512, 256, 16, 1]>, #hivm.address_space<cc>>
      %47 = "memref.subview"(%43, %35, %39) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<32x32xf32, strided<[56, 1], offset: ?>, #hivm.address_space<gm>>, index, index) -> memref<?x?xf32, strided<[56, 1], offset: ?>, #hivm.address_space<gm>>
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
      %48 = "memref.cast"(%46) : (memref<?x?x16x16xf32, strided<[512, 256, 16, 1]>, #hivm.address_space<cc>>) -> memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cc>>
      %49 = "memref.cast"(%47) : (memref<?x?xf32, strided<[56, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<?x?xf32, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>
      "func.call"(%48, %49, %5, %5, %0, %1) <{callee = @fixpipe_nz2nd_float_to_float_4d_to_2d}> : (memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cc>>, memref<?x?xf32, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>, i64, i64, i1, i8) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_FIX>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_M>}> : () -> ()
      "scf.yield"() : () -> ()
    }) : (i32, i32, i32) -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_FIX>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_M>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID2>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()
    "func.return"() : () -> ()
  }) {SyncBlockLockArgIdx = 0 : i64, WorkspaceArgIdx = 1 : i64, func_dyn_memref_args = dense<[false, true, true, true, true, true, false, false, false]> : vector<9xi1>, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIC>, hivm.storage_aligned, mix_mode = "mix", parallel_mode = "simd"} : () -> ()
}) {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"AI_CORE_COUNT", 20 : i32>, #dlti.dl_entry<"CUBE_CORE_COUNT", 20 : i32>, #dlti.dl_entry<"VECTOR_CORE_COUNT", 40 : i32>, #dlti.dl_entry<"UB_SIZE", 1572864 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 1048576 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>>>, hivm.module_core_type = #hivm.module_core_type<AIC>} : () -> ()
