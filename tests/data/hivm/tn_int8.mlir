"builtin.module"() ({
  "func.func"() <{function_type = () -> i8, sym_name = "gemm_infer_task_type_function"}> ({
    %113 = "arith.constant"() <{value = 20 : i8}> : () -> i8
    "func.return"(%113) : (i8) -> ()
  }) {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<infer_task_type_function>} : () -> ()
  "func.func"() <{function_type = (i8, memref<?xi8, strided<[?], offset: ?>, #hivm.address_space<cbuf>>) -> (), sym_name = "set_l1_2d_int8_t", sym_visibility = "private"}> ({
  }) {hacc.always_inline, hivm.func_core_type = #hivm.func_core_type<AIC>, llvm.emit_c_interface} : () -> ()
  "func.func"() <{function_type = (memref<?x?xi8, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>, memref<?x?x?x?xi8, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>) -> (), sym_name = "nd2nz_int8_t", sym_visibility = "private"}> ({
  }) {hacc.always_inline, hivm.func_core_type = #hivm.func_core_type<AIC>, llvm.emit_c_interface} : () -> ()
  "func.func"() <{function_type = (memref<?x?x?x?xi8, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>, memref<?x?x?x?xi8, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>, i1, index, index, index, memref<?x?x?x?xi32, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cc>>, i64, i64, i64, i64, i64, i64, i64, i8) -> (), sym_name = "mma_tile_int8_t_to_int32_t_ta", sym_visibility = "private"}> ({
  }) {hacc.always_inline, hivm.func_core_type = #hivm.func_core_type<AIC>, llvm.emit_c_interface} : () -> ()
  "func.func"() <{function_type = (memref<?x?x?x?xi32, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cc>>, memref<?x?xi32, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>, i64, i64, i1, i8) -> (), sym_name = "fixpipe_nz2nd_int32_t_to_int32_t_4d_to_2d", sym_visibility = "private"}> ({
  }) {hacc.always_inline, hivm.func_core_type = #hivm.func_core_type<AIC>, llvm.emit_c_interface} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<sync_block_lock>}, {hacc.arg_type = #hacc.arg_type<workspace>}, {tt.tensor_kind = 0 : i32}, {tt.tensor_kind = 0 : i32}, {tt.tensor_kind = 1 : i32}, {}, {}, {}], function_type = (i64, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xi32, #hivm.address_space<gm>>, i32, i32, i32) -> (), sym_name = "gemm"}> ({
  ^bb0(%arg0: i64, %arg1: memref<?xi8, #hivm.address_space<gm>>, %arg2: memref<?xi8, #hivm.address_space<gm>>, %arg3: memref<?xi8, #hivm.address_space<gm>>, %arg4: memref<?xi8, #hivm.address_space<gm>>, %arg5: memref<?xi32, #hivm.address_space<gm>>, %arg6: i32, %arg7: i32, %arg8: i32):
    %0 = "arith.constant"() <{value = false}> : () -> i1
    %1 = "arith.constant"() <{value = 0 : i32}> : () -> i32
    %2 = "arith.constant"() <{value = 6 : i32}> : () -> i32
    %3 = "arith.constant"() <{value = 32 : i32}> : () -> i32
    %4 = "arith.constant"() <{value = 3 : i32}> : () -> i32
    %5 = "arith.constant"() <{value = 2 : i32}> : () -> i32
    %6 = "arith.constant"() <{value = 32 : index}> : () -> index
    %7 = "arith.constant"() <{value = 0 : i8}> : () -> i8
    %8 = "arith.constant"() <{value = 1 : i32}> : () -> i32
    %9 = "arith.constant"() <{value = 1 : i64}> : () -> i64
    %10 = "arith.constant"() <{value = 3 : i64}> : () -> i64
    %11 = "arith.constant"() <{value = 4 : i64}> : () -> i64
    %12 = "arith.constant"() <{value = 2 : i64}> : () -> i64
    %13 = "arith.constant"() <{value = -1 : i64}> : () -> i64
    %14 = "arith.constant"() <{value = 2048 : i64}> : () -> i64
    %15 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %16 = "arith.constant"() <{value = 1024 : i64}> : () -> i64
    %17 = "arith.constant"() <{value = 3072 : i64}> : () -> i64
    %18 = "hivm.hir.pointer_cast"(%16) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1x2x16x32xi8, #hivm.address_space<cbuf>>
    %19 = "hivm.hir.pointer_cast"(%17) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1x2x16x32xi8, #hivm.address_space<cbuf>>
    %20 = "hivm.hir.pointer_cast"(%15) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1x2x16x32xi8, #hivm.address_space<cbuf>>
    %21 = "hivm.hir.pointer_cast"(%14) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1x2x16x32xi8, #hivm.address_space<cbuf>>
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
    "scf.for"(%26, %2, %5) ({
    ^bb0(%arg9: i32):
      %27 = "arith.divsi"(%arg9, %4) : (i32, i32) -> i32
      %28 = "arith.remsi"(%arg9, %4) : (i32, i32) -> i32
      %29 = "arith.subi"(%5, %27) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %30 = "arith.minsi"(%29, %8) : (i32, i32) -> i32
      %31 = "arith.remsi"(%28, %30) : (i32, i32) -> i32
      %32 = "arith.addi"(%27, %31) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %33 = "arith.divsi"(%28, %30) : (i32, i32) -> i32
      %34 = "arith.muli"(%32, %3) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %35 = "arith.muli"(%33, %3) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
      %36 = "arith.index_cast"(%34) : (i32) -> index
      %37 = "affine.max"(%36) <{map = affine_map<()[s0] -> (40, s0)>}> : (index) -> index
      %38 = "affine.min"(%37, %36) <{map = affine_map<()[s0, s1] -> (s1 + 32, s0)>}> : (index, index) -> index
      %39 = "affine.min"(%38, %36) <{map = affine_map<()[s0, s1] -> (32, s0 - s1)>}> : (index, index) -> index
      %40 = "arith.cmpi"(%39, %6) <{predicate = 2 : i64}> : (index, index) -> i1
      %41 = "arith.index_cast"(%35) : (i32) -> index
      %42 = "affine.max"(%41) <{map = affine_map<()[s0] -> (72, s0)>}> : (index) -> index
      %43 = "affine.min"(%42, %41) <{map = affine_map<()[s0, s1] -> (s1 + 32, s0)>}> : (index, index) -> index
      %44 = "affine.min"(%43, %41) <{map = affine_map<()[s0, s1] -> (32, s0 - s1)>}> : (index, index) -> index
      %45 = "arith.cmpi"(%44, %6) <{predicate = 2 : i64}> : (index, index) -> i1
      %46 = "hivm.hir.pointer_cast"(%15) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2x2x16x16xi32, #hivm.address_space<cc>>
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_FIX>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_M>}> : () -> ()
      "scf.for"(%1, %4, %8) ({
      ^bb0(%arg10: i32):
        %55 = "arith.index_cast"(%arg10) : (i32) -> index
        %56 = "arith.index_cast"(%arg9) : (i32) -> index
        %57 = "arith.index_cast"(%26) : (i32) -> index
        %58 = "affine.apply"(%55, %56, %57) <{map = affine_map<()[s0, s1, s2] -> ((s0 + ((s1 - s2) floordiv 2) * 3) mod 2)>}> : (index, index, index) -> index
        %59 = "arith.index_cast"(%58) : (index) -> i64
        %60 = "arith.cmpi"(%59, %9) <{predicate = 0 : i64}> : (i64, i64) -> i1
        %61 = "arith.select"(%60, %19, %18) : (i1, memref<1x2x16x32xi8, #hivm.address_space<cbuf>>, memref<1x2x16x32xi8, #hivm.address_space<cbuf>>) -> memref<1x2x16x32xi8, #hivm.address_space<cbuf>>
        %62 = "arith.index_cast"(%arg10) : (i32) -> index
        %63 = "arith.index_cast"(%arg9) : (i32) -> index
        %64 = "arith.index_cast"(%26) : (i32) -> index
        %65 = "affine.apply"(%62, %63, %64) <{map = affine_map<()[s0, s1, s2] -> ((s0 + ((s1 - s2) floordiv 2) * 3) mod 2)>}> : (index, index, index) -> index
        %66 = "arith.index_cast"(%65) : (index) -> i64
        %67 = "arith.cmpi"(%66, %9) <{predicate = 0 : i64}> : (i64, i64) -> i1
        %68 = "arith.select"(%67, %21, %20) : (i1, memref<1x2x16x32xi8, #hivm.address_space<cbuf>>, memref<1x2x16x32xi8, #hivm.address_space<cbuf>>) -> memref<1x2x16x32xi8, #hivm.address_space<cbuf>>
        %69 = "arith.index_cast"(%arg10) : (i32) -> index
        %70 = "arith.index_cast"(%arg9) : (i32) -> index
        %71 = "arith.index_cast"(%26) : (i32) -> index
        %72 = "affine.apply"(%69, %70, %71) <{map = affine_map<()[s0, s1, s2] -> (s0 + ((s1 - s2) floordiv 2) * 3)>}> : (index, index, index) -> index
        %73 = "arith.index_cast"(%72) : (index) -> i64
        %74 = "arith.index_cast"(%arg10) : (i32) -> index
        %75 = "arith.index_cast"(%arg9) : (i32) -> index
        %76 = "arith.index_cast"(%26) : (i32) -> index
        %77 = "affine.apply"(%74, %75, %76) <{map = affine_map<()[s0, s1, s2] -> ((s0 + ((s1 - s2) floordiv 2) * 3) mod 2)>}> : (index, index, index) -> index
        %78 = "arith.index_cast"(%77) : (index) -> i1
        %79 = "arith.select"(%78, %10, %11) : (i1, i64, i64) -> i64
        %80 = "arith.index_cast"(%77) : (index) -> i1
        %81 = "arith.select"(%80, %9, %12) : (i1, i64, i64) -> i64
        %82 = "arith.muli"(%arg10, %3) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
        %83 = "arith.index_cast"(%82) : (i32) -> index
        %84 = "affine.apply"(%36, %83) <{map = affine_map<()[s0, s1] -> (s0 + s1 * 40)>}> : (index, index) -> index
        %85 = "memref.reinterpret_cast"(%arg3, %84) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 32, 32>, static_strides = array<i64: 40, 1>}> : (memref<?xi8, #hivm.address_space<gm>>, index) -> memref<32x32xi8, strided<[40, 1], offset: ?>, #hivm.address_space<gm>>
        %86 = "affine.max"(%83) <{map = affine_map<()[s0] -> (80, s0)>}> : (index) -> index
        %87 = "affine.min"(%86, %83) <{map = affine_map<()[s0, s1] -> (s1 + 32, s0)>}> : (index, index) -> index
        %88 = "affine.min"(%87, %83) <{map = affine_map<()[s0, s1] -> (32, s0 - s1)>}> : (index, index) -> index
        %89 = "arith.cmpi"(%88, %6) <{predicate = 2 : i64}> : (index, index) -> i1
        %90 = "arith.ori"(%89, %40) : (i1, i1) -> i1
        %91 = "memref.subview"(%85, %88, %39) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<32x32xi8, strided<[40, 1], offset: ?>, #hivm.address_space<gm>>, index, index) -> memref<?x?xi8, strided<[40, 1], offset: ?>, #hivm.address_space<gm>>
        %92 = "affine.apply"(%39) <{map = affine_map<()[s0] -> ((s0 + 31) floordiv 32)>}> : (index) -> index
        %93 = "affine.apply"(%88) <{map = affine_map<()[s0] -> ((s0 + 15) floordiv 16)>}> : (index) -> index
        %94 = "memref.subview"(%68, %92, %93) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808, 16, 32>, static_strides = array<i64: 1, 1, 1, 1>}> : (memref<1x2x16x32xi8, #hivm.address_space<cbuf>>, index, index) -> memref<?x?x16x32xi8, strided<[1024, 512, 32, 1]>, #hivm.address_space<cbuf>>
        "scf.if"(%90) ({
          "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
          %111 = "memref.collapse_shape"(%68) <{reassociation = [[0, 1, 2, 3]]}> : (memref<1x2x16x32xi8, #hivm.address_space<cbuf>>) -> memref<1024xi8, #hivm.address_space<cbuf>>
          "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
          %112 = "memref.cast"(%111) : (memref<1024xi8, #hivm.address_space<cbuf>>) -> memref<?xi8, strided<[?], offset: ?>, #hivm.address_space<cbuf>>
          "func.call"(%7, %112) <{callee = @set_l1_2d_int8_t}> : (i8, memref<?xi8, strided<[?], offset: ?>, #hivm.address_space<cbuf>>) -> ()
          "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
          "scf.yield"() : () -> ()
        }, {
        }) {hivm.unlikely_condition} : (i1) -> ()
        "hivm.hir.wait_flag"(%81) <{set_pipe = #hivm.pipe<PIPE_MTE1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
        %95 = "memref.cast"(%91) : (memref<?x?xi8, strided<[40, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<?x?xi8, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>
        %96 = "memref.cast"(%94) : (memref<?x?x16x32xi8, strided<[1024, 512, 32, 1]>, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xi8, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>
        "func.call"(%95, %96) <{callee = @nd2nz_int8_t}> : (memref<?x?xi8, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>, memref<?x?x?x?xi8, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>) -> ()
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE1>}> : () -> ()
        %97 = "affine.apply"(%41, %83) <{map = affine_map<()[s0, s1] -> (s0 + s1 * 72)>}> : (index, index) -> index
        %98 = "memref.reinterpret_cast"(%arg4, %97) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 32, 32>, static_strides = array<i64: 72, 1>}> : (memref<?xi8, #hivm.address_space<gm>>, index) -> memref<32x32xi8, strided<[72, 1], offset: ?>, #hivm.address_space<gm>>
        %99 = "arith.ori"(%89, %45) : (i1, i1) -> i1
        %100 = "memref.subview"(%98, %88, %44) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<32x32xi8, strided<[72, 1], offset: ?>, #hivm.address_space<gm>>, index, index) -> memref<?x?xi8, strided<[72, 1], offset: ?>, #hivm.address_space<gm>>
        %101 = "affine.apply"(%44) <{map = affine_map<()[s0] -> ((s0 + 31) floordiv 32)>}> : (index) -> index
        %102 = "memref.subview"(%61, %101, %93) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808, 16, 32>, static_strides = array<i64: 1, 1, 1, 1>}> : (memref<1x2x16x32xi8, #hivm.address_space<cbuf>>, index, index) -> memref<?x?x16x32xi8, strided<[1024, 512, 32, 1]>, #hivm.address_space<cbuf>>
        "scf.if"(%99) ({
          "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
          %109 = "memref.collapse_shape"(%61) <{reassociation = [[0, 1, 2, 3]]}> : (memref<1x2x16x32xi8, #hivm.address_space<cbuf>>) -> memref<1024xi8, #hivm.address_space<cbuf>>
          "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
          %110 = "memref.cast"(%109) : (memref<1024xi8, #hivm.address_space<cbuf>>) -> memref<?xi8, strided<[?], offset: ?>, #hivm.address_space<cbuf>>
          "func.call"(%7, %110) <{callee = @set_l1_2d_int8_t}> : (i8, memref<?xi8, strided<[?], offset: ?>, #hivm.address_space<cbuf>>) -> ()
          "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
          "scf.yield"() : () -> ()
        }, {
        }) {hivm.unlikely_condition} : (i1) -> ()
        "hivm.hir.wait_flag"(%79) <{set_pipe = #hivm.pipe<PIPE_MTE1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
        %103 = "memref.cast"(%100) : (memref<?x?xi8, strided<[72, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<?x?xi8, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>
        %104 = "memref.cast"(%102) : (memref<?x?x16x32xi8, strided<[1024, 512, 32, 1]>, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xi8, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>
        "func.call"(%103, %104) <{callee = @nd2nz_int8_t}> : (memref<?x?xi8, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>, memref<?x?x?x?xi8, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>) -> ()
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE1>}> : () -> ()
        %105 = "arith.cmpi"(%arg10, %1) <{predicate = 0 : i64}> : (i32, i32) -> i1
        %106 = "memref.cast"(%68) : (memref<1x2x16x32xi8, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xi8, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>
        %107 = "memref.cast"(%61) : (memref<1x2x16x32xi8, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xi8, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>
        %108 = "memref.cast"(%46) : (memref<2x2x16x16xi32, #hivm.address_space<cc>>) -> memref<?x?x?x?xi32, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cc>>
        "func.call"(%106, %107, %105, %39, %88, %44, %108, %15, %9, %81, %79, %73, %13, %13, %7) <{callee = @mma_tile_int8_t_to_int32_t_ta}> : (memref<?x?x?x?xi8, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>, memref<?x?x?x?xi8, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>, i1, index, index, index, memref<?x?x?x?xi32, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cc>>, i64, i64, i64, i64, i64, i64, i64, i8) -> ()
        "scf.yield"() : () -> ()
      }) {fixpipe_for_mmad_result_already_inserted = true, pipeline.cubeonly} : (i32, i32, i32) -> ()
      "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
      %47 = "affine.apply"(%41, %36) <{map = affine_map<()[s0, s1] -> (s0 + s1 * 72)>}> : (index, index) -> index
      %48 = "memref.reinterpret_cast"(%arg5, %47) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 32, 32>, static_strides = array<i64: 72, 1>}> : (memref<?xi32, #hivm.address_space<gm>>, index) -> memref<32x32xi32, strided<[72, 1], offset: ?>, #hivm.address_space<gm>>
      %49 = "affine.apply"(%39) <{map = affine_map<()[s0] -> ((s0 + 15) floordiv 16)>}> : (index) -> index
      %50 = "affine.apply"(%44) <{map = affine_map<()[s0] -> ((s0 + 15) floordiv 16)>}> : (index) -> index
      %51 = "memref.subview"(%46, %50, %49) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808, 16, 16>, static_strides = array<i64: 1, 1, 1, 1>}> : (memref<2x2x16x16xi32, #hivm.address_space<cc>>, index, index) -> memref<?x?x16x16xi32, strided<[512, 256, 16, 1]>, #hivm.address_space<cc>>
      %52 = "memref.subview"(%48, %39, %44) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<32x32xi32, strided<[72, 1], offset: ?>, #hivm.address_space<gm>>, index, index) -> memref<?x?xi32, strided<[72, 1], offset: ?>, #hivm.address_space<gm>>
      "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
      %53 = "memref.cast"(%51) : (memref<?x?x16x16xi32, strided<[512, 256, 16, 1]>, #hivm.address_space<cc>>) -> memref<?x?x?x?xi32, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cc>>
      %54 = "memref.cast"(%52) : (memref<?x?xi32, strided<[72, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<?x?xi32, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>
      "func.call"(%53, %54, %15, %15, %0, %7) <{callee = @fixpipe_nz2nd_int32_t_to_int32_t_4d_to_2d}> : (memref<?x?x?x?xi32, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cc>>, memref<?x?xi32, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>, i64, i64, i1, i8) -> ()
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
