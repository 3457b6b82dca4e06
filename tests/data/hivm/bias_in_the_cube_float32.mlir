"builtin.module"() ({
  "func.func"() <{function_type = () -> index, sym_name = "gemm_epilogue_infer_workspace_shape_function"}> ({
    %217 = "arith.constant"() <{value = 16384 : index}> : () -> index
    "func.return"(%217) : (index) -> ()
  }) {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<infer_workspace_shape_function>} : () -> ()
  "func.func"() <{function_type = () -> i8, sym_name = "gemm_epilogue_infer_task_type_function"}> ({
    %216 = "arith.constant"() <{value = 32 : i8}> : () -> i8
    "func.return"(%216) : (i8) -> ()
  }) {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<infer_task_type_function>} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<sync_block_lock>}, {hacc.arg_type = #hacc.arg_type<workspace>}, {tt.tensor_kind = 0 : i32}, {tt.tensor_kind = 0 : i32}, {tt.tensor_kind = 0 : i32}, {}, {tt.tensor_kind = 1 : i32}, {}, {}, {}], function_type = (i64, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, i32, i32, i32) -> (), sym_name = "gemm_epilogue_mix_aic"}> ({
  ^bb0(%arg13: i64, %arg14: memref<?xi8, #hivm.address_space<gm>>, %arg15: memref<?xi8, #hivm.address_space<gm>>, %arg16: memref<?xf32, #hivm.address_space<gm>>, %arg17: memref<?xf32, #hivm.address_space<gm>>, %arg18: memref<?xf32, #hivm.address_space<gm>>, %arg19: memref<?xf32, #hivm.address_space<gm>>, %arg20: memref<?xf32, #hivm.address_space<gm>>, %arg21: i32, %arg22: i32, %arg23: i32):
    %107 = "arith.constant"() <{value = false}> : () -> i1
    %108 = "arith.constant"() <{value = 0 : i8}> : () -> i8
    %109 = "arith.constant"() <{value = 8 : i32}> : () -> i32
    %110 = "arith.constant"() <{value = 1 : index}> : () -> index
    %111 = "arith.constant"() <{value = true}> : () -> i1
    %112 = "arith.constant"() <{value = 0 : index}> : () -> index
    %113 = "arith.constant"() <{value = 29 : index}> : () -> index
    %114 = "arith.constant"() <{value = 2 : i32}> : () -> i32
    %115 = "arith.constant"() <{value = 32 : i32}> : () -> i32
    %116 = "arith.constant"() <{value = 4 : i32}> : () -> i32
    %117 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %118 = "arith.constant"() <{value = 8192 : i64}> : () -> i64
    %119 = "arith.constant"() <{value = 2 : i64}> : () -> i64
    %120 = "arith.constant"() <{value = 3 : i64}> : () -> i64
    %121 = "arith.constant"() <{value = 1 : i64}> : () -> i64
    %122 = "arith.constant"() <{value = -1 : i64}> : () -> i64
    %123 = "arith.constant"() <{value = 8320 : i64}> : () -> i64
    %124 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %125 = "arith.constant"() <{value = 4096 : i64}> : () -> i64
    %126 = "arith.constant"() <{value = 12416 : i64}> : () -> i64
    %127 = "hivm.hir.pointer_cast"(%125) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<4x2x16x8xf32, #hivm.address_space<cbuf>>
    %128 = "hivm.hir.pointer_cast"(%126) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<4x2x16x8xf32, #hivm.address_space<cbuf>>
    %129 = "hivm.hir.pointer_cast"(%124) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<4x2x16x8xf32, #hivm.address_space<cbuf>>
    %130 = "hivm.hir.pointer_cast"(%123) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<4x2x16x8xf32, #hivm.address_space<cbuf>>
    "hivm.hir.set_ffts_base_addr"(%arg13) : (i64) -> ()
    "hivm.hir.set_mask_norm"() : () -> ()
    %131 = "hivm.hir.get_block_idx"() : () -> i64
    %132 = "arith.trunci"(%131) : (i64) -> i32
    %133 = "arith.muli"(%arg23, %arg22) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %134 = "arith.divsi"(%132, %133) : (i32, i32) -> i32
    %135 = "arith.remsi"(%134, %arg21) : (i32, i32) -> i32
    %136 = "hivm.hir.get_block_idx"() : () -> i64
    %137 = "arith.index_cast"(%136) : (i64) -> index
    %138 = "affine.apply"(%137) <{map = affine_map<()[s0] -> (s0 * 16384)>}> : (index) -> index
    %139 = "memref.view"(%arg15, %138) : (memref<?xi8, #hivm.address_space<gm>>, index) -> memref<4x32x32xf32, #hivm.address_space<gm>>
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID2>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID3>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID4>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_FIX>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_M>}> : () -> ()
    "scf.for"(%135, %116, %109) ({
    ^bb0(%arg24: i32):
      %140 = "arith.index_cast"(%arg24) : (i32) -> index
      %141 = "affine.min"(%140) <{map = affine_map<(d0) -> ((-d0 + 4) ceildiv 2, 4)>}> : (index) -> index
      "scf.for"(%112, %141, %110) ({
      ^bb0(%arg25: index):
        %142 = "arith.index_cast"(%arg24) : (i32) -> index
        %143 = "arith.index_cast"(%135) : (i32) -> index
        %144 = "affine.apply"(%arg25, %141, %142, %143) <{map = affine_map<()[s0, s1, s2, s3] -> ((s0 + ((s2 - s3) floordiv 8) * s1) mod 2)>}> : (index, index, index, index) -> index
        %145 = "arith.index_cast"(%144) : (index) -> i64
        %146 = "arith.cmpi"(%145, %121) <{predicate = 0 : i64}> : (i64, i64) -> i1
        %147 = "arith.select"(%146, %128, %127) : (i1, memref<4x2x16x8xf32, #hivm.address_space<cbuf>>, memref<4x2x16x8xf32, #hivm.address_space<cbuf>>) -> memref<4x2x16x8xf32, #hivm.address_space<cbuf>>
        %148 = "arith.index_cast"(%arg24) : (i32) -> index
        %149 = "arith.index_cast"(%135) : (i32) -> index
        %150 = "affine.apply"(%arg25, %141, %148, %149) <{map = affine_map<()[s0, s1, s2, s3] -> ((s0 + ((s2 - s3) floordiv 8) * s1) mod 2)>}> : (index, index, index, index) -> index
        %151 = "arith.index_cast"(%150) : (index) -> i64
        %152 = "arith.cmpi"(%151, %121) <{predicate = 0 : i64}> : (i64, i64) -> i1
        %153 = "arith.select"(%152, %130, %129) : (i1, memref<4x2x16x8xf32, #hivm.address_space<cbuf>>, memref<4x2x16x8xf32, #hivm.address_space<cbuf>>) -> memref<4x2x16x8xf32, #hivm.address_space<cbuf>>
        %154 = "arith.index_cast"(%arg24) : (i32) -> index
        %155 = "arith.index_cast"(%135) : (i32) -> index
        %156 = "affine.apply"(%arg25, %141, %154, %155) <{map = affine_map<()[s0, s1, s2, s3] -> (s0 + ((s2 - s3) floordiv 8) * s1)>}> : (index, index, index, index) -> index
        %157 = "arith.index_cast"(%156) : (index) -> i64
        %158 = "arith.index_cast"(%arg24) : (i32) -> index
        %159 = "arith.index_cast"(%135) : (i32) -> index
        %160 = "affine.apply"(%arg25, %141, %158, %159) <{map = affine_map<()[s0, s1, s2, s3] -> ((s0 + ((s2 - s3) floordiv 8) * s1) mod 2)>}> : (index, index, index, index) -> index
        %161 = "arith.index_cast"(%160) : (index) -> i1
        %162 = "arith.select"(%161, %119, %120) : (i1, i64, i64) -> i64
        %163 = "arith.index_cast"(%160) : (index) -> i1
        %164 = "arith.xori"(%163, %111) : (i1, i1) -> i1
        %165 = "arith.extui"(%164) : (i1) -> i64
        %166 = "arith.index_cast"(%arg25) : (index) -> i64
        %167 = "affine.apply"(%arg25, %140) <{map = affine_map<(d0)[s0] -> (d0 * 2 + s0)>}> : (index, index) -> index
        %168 = "arith.index_cast"(%167) : (index) -> i32
        %169 = "arith.divsi"(%168, %114) : (i32, i32) -> i32
        %170 = "arith.muli"(%169, %115) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
        %171 = "arith.remsi"(%168, %114) : (i32, i32) -> i32
        %172 = "arith.muli"(%171, %115) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
        %173 = "arith.index_cast"(%170) : (i32) -> index
        %174 = "affine.apply"(%173) <{map = affine_map<()[s0] -> (s0 * 29)>}> : (index) -> index
        %175 = "memref.reinterpret_cast"(%arg16, %174) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 32, 32>, static_strides = array<i64: 29, 1>}> : (memref<?xf32, #hivm.address_space<gm>>, index) -> memref<32x32xf32, strided<[29, 1], offset: ?>, #hivm.address_space<gm>>
        %176 = "affine.max"(%173) <{map = affine_map<()[s0] -> (40, s0)>}> : (index) -> index
        %177 = "affine.min"(%176, %173) <{map = affine_map<()[s0, s1] -> (s1 + 32, s0)>}> : (index, index) -> index
        %178 = "affine.min"(%177, %173) <{map = affine_map<()[s0, s1] -> (32, s0 - s1)>}> : (index, index) -> index
        %179 = "memref.subview"(%175, %178) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 29>, static_strides = array<i64: 1, 1>}> : (memref<32x32xf32, strided<[29, 1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<?x29xf32, strided<[29, 1], offset: ?>, #hivm.address_space<gm>>
        %180 = "affine.apply"(%178) <{map = affine_map<()[s0] -> ((s0 + 15) floordiv 16)>}> : (index) -> index
        %181 = "memref.subview"(%153, %180) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: 4, -9223372036854775808, 16, 8>, static_strides = array<i64: 1, 1, 1, 1>}> : (memref<4x2x16x8xf32, #hivm.address_space<cbuf>>, index) -> memref<4x?x16x8xf32, strided<[256, 128, 8, 1]>, #hivm.address_space<cbuf>>
        %182 = "memref.collapse_shape"(%153) <{reassociation = [[0, 1, 2, 3]]}> : (memref<4x2x16x8xf32, #hivm.address_space<cbuf>>) -> memref<1024xf32, #hivm.address_space<cbuf>>
        "hivm.hir.wait_flag"(%165) <{set_pipe = #hivm.pipe<PIPE_MTE1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
        %183 = "memref.cast"(%182) : (memref<1024xf32, #hivm.address_space<cbuf>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<cbuf>>
        "func.call"(%117, %183) <{callee = @set_l1_2d_float}> : (f32, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<cbuf>>) -> ()
        "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        %184 = "memref.cast"(%179) : (memref<?x29xf32, strided<[29, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<?x?xf32, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>
        %185 = "memref.cast"(%181) : (memref<4x?x16x8xf32, strided<[256, 128, 8, 1]>, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>
        "func.call"(%184, %185) <{callee = @nd2nz_float}> : (memref<?x?xf32, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>, memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>) -> ()
        %186 = "arith.index_cast"(%172) : (i32) -> index
        %187 = "memref.reinterpret_cast"(%arg17, %186) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 32, 32>, static_strides = array<i64: 40, 1>}> : (memref<?xf32, #hivm.address_space<gm>>, index) -> memref<32x32xf32, strided<[40, 1], offset: ?>, #hivm.address_space<gm>>
        %188 = "affine.max"(%186) <{map = affine_map<()[s0] -> (40, s0)>}> : (index) -> index
        %189 = "affine.min"(%188, %186) <{map = affine_map<()[s0, s1] -> (s1 + 32, s0)>}> : (index, index) -> index
        %190 = "affine.apply"(%189, %186) <{map = affine_map<()[s0, s1] -> (s0 - s1)>}> : (index, index) -> index
        %191 = "affine.min"(%189, %186) <{map = affine_map<()[s0, s1] -> (32, s0 - s1)>}> : (index, index) -> index
        %192 = "memref.subview"(%187, %191) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 29, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<32x32xf32, strided<[40, 1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<29x?xf32, strided<[40, 1], offset: ?>, #hivm.address_space<gm>>
        %193 = "affine.apply"(%191) <{map = affine_map<()[s0] -> ((s0 + 7) floordiv 8)>}> : (index) -> index
        %194 = "memref.subview"(%147, %193) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: -9223372036854775808, 2, 16, 8>, static_strides = array<i64: 1, 1, 1, 1>}> : (memref<4x2x16x8xf32, #hivm.address_space<cbuf>>, index) -> memref<?x2x16x8xf32, strided<[256, 128, 8, 1]>, #hivm.address_space<cbuf>>
        %195 = "memref.collapse_shape"(%147) <{reassociation = [[0, 1, 2, 3]]}> : (memref<4x2x16x8xf32, #hivm.address_space<cbuf>>) -> memref<1024xf32, #hivm.address_space<cbuf>>
        "hivm.hir.wait_flag"(%162) <{set_pipe = #hivm.pipe<PIPE_MTE1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
        %196 = "memref.cast"(%195) : (memref<1024xf32, #hivm.address_space<cbuf>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<cbuf>>
        "func.call"(%117, %196) <{callee = @set_l1_2d_float}> : (f32, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<cbuf>>) -> ()
        "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        %197 = "memref.cast"(%192) : (memref<29x?xf32, strided<[40, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<?x?xf32, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>
        %198 = "memref.cast"(%194) : (memref<?x2x16x8xf32, strided<[256, 128, 8, 1]>, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>
        "func.call"(%197, %198) <{callee = @nd2nz_float}> : (memref<?x?xf32, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>, memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>) -> ()
        %199 = "memref.reinterpret_cast"(%arg18, %186) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 1, 32>, static_strides = array<i64: 32, 1>}> : (memref<?xf32, #hivm.address_space<gm>>, index) -> memref<1x32xf32, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>
        %200 = "hivm.hir.pointer_cast"(%118) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1x32xf32, #hivm.address_space<cbuf>>
        %201 = "memref.subview"(%199, %190) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 1, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<1x32xf32, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<1x?xf32, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>
        %202 = "memref.subview"(%200, %190) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 1, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<1x32xf32, #hivm.address_space<cbuf>>, index) -> memref<1x?xf32, strided<[32, 1]>, #hivm.address_space<cbuf>>
        %203 = "memref.collapse_shape"(%201) <{reassociation = [[0, 1]]}> : (memref<1x?xf32, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<?xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
        %204 = "memref.collapse_shape"(%202) <{reassociation = [[0, 1]]}> : (memref<1x?xf32, strided<[32, 1]>, #hivm.address_space<cbuf>>) -> memref<?xf32, strided<[1]>, #hivm.address_space<cbuf>>
        "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID4>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        %205 = "memref.cast"(%203) : (memref<?xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<gm>>
        %206 = "memref.cast"(%204) : (memref<?xf32, strided<[1]>, #hivm.address_space<cbuf>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<cbuf>>
        "func.call"(%205, %206, %114) <{callee = @load_gm_to_cbuf_1d_float}> : (memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<gm>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<cbuf>>, i32) -> ()
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE1>}> : () -> ()
        %207 = "hivm.hir.pointer_cast"(%124) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2x2x16x16xf32, #hivm.address_space<cc>>
        "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_FIX>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_M>}> : () -> ()
        "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE1>}> : () -> ()
        %208 = "memref.cast"(%153) : (memref<4x2x16x8xf32, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>
        %209 = "memref.cast"(%147) : (memref<4x2x16x8xf32, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>
        %210 = "memref.cast"(%200) : (memref<1x32xf32, #hivm.address_space<cbuf>>) -> memref<?x?xf32, strided<[?, ?], offset: ?>, #hivm.address_space<cbuf>>
        %211 = "memref.cast"(%207) : (memref<2x2x16x16xf32, #hivm.address_space<cc>>) -> memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cc>>
        "func.call"(%208, %209, %111, %178, %113, %191, %210, %211, %122, %122, %165, %162, %157, %122, %122, %108) <{callee = @mma_tile_with_float_bias_float_to_float}> : (memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>, memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>, i1, index, index, index, memref<?x?xf32, strided<[?, ?], offset: ?>, #hivm.address_space<cbuf>>, memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cc>>, i64, i64, i64, i64, i64, i64, i64, i8) -> ()
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID4>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        %212 = "memref.subview"(%139, %arg25) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0, 0>, static_sizes = array<i64: 1, 32, 32>, static_strides = array<i64: 1, 1, 1>}> : (memref<4x32x32xf32, #hivm.address_space<gm>>, index) -> memref<1x32x32xf32, strided<[1024, 32, 1], offset: ?>, #hivm.address_space<gm>>
        %213 = "memref.collapse_shape"(%212) <{reassociation = [[0, 1], [2]]}> : (memref<1x32x32xf32, strided<[1024, 32, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<32x32xf32, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>
        "hivm.hir.sync_block_wait"(%166) <{pipe = #hivm.pipe<PIPE_S>, tcore_type = #hivm.tcore_type<CUBE>, tpipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
        "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
        %214 = "memref.cast"(%207) : (memref<2x2x16x16xf32, #hivm.address_space<cc>>) -> memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cc>>
        %215 = "memref.cast"(%213) : (memref<32x32xf32, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<?x?xf32, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>
        "func.call"(%214, %215, %124, %124, %107, %108) <{callee = @fixpipe_nz2nd_float_to_float_4d_to_2d}> : (memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cc>>, memref<?x?xf32, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>, i64, i64, i1, i8) -> ()
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_FIX>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_M>}> : () -> ()
        "hivm.hir.sync_block_set"(%arg13) <{operandSegmentSizes = array<i32: 0, 1>, pipe = #hivm.pipe<PIPE_S>, static_flag_id = 4 : i64, tcore_type = #hivm.tcore_type<CUBE>, tpipe = #hivm.pipe<PIPE_FIX>}> : (i64) -> ()
        "scf.yield"() : () -> ()
      }) {hivm.loop_core_type = #hivm.tcore_type<CUBE>, multibuffer_unroll_factor = 4 : i32} : (index, index, index) -> ()
      "scf.yield"() : () -> ()
    }) : (i32, i32, i32) -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_FIX>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_M>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID2>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID3>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID4>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.sync_block_wait"() <{pipe = #hivm.pipe<PIPE_S>, static_flag_id = 0 : i64, tcore_type = #hivm.tcore_type<CUBE>, tpipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.sync_block_wait"() <{pipe = #hivm.pipe<PIPE_S>, static_flag_id = 1 : i64, tcore_type = #hivm.tcore_type<CUBE>, tpipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.sync_block_wait"() <{pipe = #hivm.pipe<PIPE_S>, static_flag_id = 2 : i64, tcore_type = #hivm.tcore_type<CUBE>, tpipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.sync_block_wait"() <{pipe = #hivm.pipe<PIPE_S>, static_flag_id = 3 : i64, tcore_type = #hivm.tcore_type<CUBE>, tpipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()
    "func.return"() : () -> ()
  }) {SyncBlockLockArgIdx = 0 : i64, WorkspaceArgIdx = 1 : i64, func_dyn_memref_args = dense<[false, true, true, true, true, true, true, true, false, false, false]> : vector<11xi1>, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIC>, hivm.part_of_mix, hivm.storage_aligned, mix_mode = "mix", parallel_mode = "simd"} : () -> ()
  "func.func"() <{function_type = (f32, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<cbuf>>) -> (), sym_name = "set_l1_2d_float", sym_visibility = "private"}> ({
  }) {hacc.always_inline, hivm.func_core_type = #hivm.func_core_type<AIC>, llvm.emit_c_interface} : () -> ()
  "func.func"() <{function_type = (memref<?x?xf32, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>, memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>) -> (), sym_name = "nd2nz_float", sym_visibility = "private"}> ({
  }) {hacc.always_inline, hivm.func_core_type = #hivm.func_core_type<AIC>, llvm.emit_c_interface} : () -> ()
  "func.func"() <{function_type = (memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<gm>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<cbuf>>, i32) -> (), sym_name = "load_gm_to_cbuf_1d_float", sym_visibility = "private"}> ({
  }) {hacc.always_inline, hivm.func_core_type = #hivm.func_core_type<AIC>, llvm.emit_c_interface} : () -> ()
  "func.func"() <{function_type = (memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>, memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>, i1, index, index, index, memref<?x?xf32, strided<[?, ?], offset: ?>, #hivm.address_space<cbuf>>, memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cc>>, i64, i64, i64, i64, i64, i64, i64, i8) -> (), sym_name = "mma_tile_with_float_bias_float_to_float", sym_visibility = "private"}> ({
  }) {hacc.always_inline, hivm.func_core_type = #hivm.func_core_type<AIC>, llvm.emit_c_interface} : () -> ()
  "func.func"() <{function_type = (memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cc>>, memref<?x?xf32, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>, i64, i64, i1, i8) -> (), sym_name = "fixpipe_nz2nd_float_to_float_4d_to_2d", sym_visibility = "private"}> ({
  }) {hacc.always_inline, hivm.func_core_type = #hivm.func_core_type<AIC>, llvm.emit_c_interface} : () -> ()
  "func.func"() <{function_type = (f32, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>) -> (), sym_name = "broadcast_scalar_float_to_1d", sym_visibility = "private"}> ({
  }) {hacc.always_inline, hivm.func_core_type = #hivm.func_core_type<AIV>, llvm.emit_c_interface} : () -> ()
  "func.func"() <{function_type = (memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xi1, strided<[?], offset: ?>, #hivm.address_space<ub>>) -> (), sym_name = "vcmp_eq_1d_float", sym_visibility = "private"}> ({
  }) {hacc.always_inline, hivm.func_core_type = #hivm.func_core_type<AIV>, llvm.emit_c_interface} : () -> ()
  "func.func"() <{function_type = (memref<?xi1, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xi1, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xi1, strided<[?], offset: ?>, #hivm.address_space<ub>>) -> (), sym_name = "vnot_1d_bool", sym_visibility = "private"}> ({
  }) {hacc.always_inline, hivm.func_core_type = #hivm.func_core_type<AIV>, llvm.emit_c_interface} : () -> ()
  "func.func"() <{function_type = (memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<gm>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, i32, f32, index) -> (), sym_name = "load_gm_to_ubuf_1d_float", sym_visibility = "private"}> ({
  }) {hacc.always_inline, hivm.func_core_type = #hivm.func_core_type<AIV>, llvm.emit_c_interface} : () -> ()
  "func.func"() <{function_type = (memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, f32, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>) -> (), sym_name = "vmaxs_vs_1d_float", sym_visibility = "private"}> ({
  }) {hacc.always_inline, hivm.func_core_type = #hivm.func_core_type<AIV>, llvm.emit_c_interface} : () -> ()
  "func.func"() <{function_type = (memref<?xi1, strided<[?], offset: ?>, #hivm.address_space<ub>>, f32, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>) -> (), sym_name = "vsel_sv_1d_float", sym_visibility = "private"}> ({
  }) {hacc.always_inline, hivm.func_core_type = #hivm.func_core_type<AIV>, llvm.emit_c_interface} : () -> ()
  "func.func"() <{function_type = (memref<?xi1, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>) -> (), sym_name = "vsel_vv_1d_bool_float", sym_visibility = "private"}> ({
  }) {hacc.always_inline, hivm.func_core_type = #hivm.func_core_type<AIV>, llvm.emit_c_interface} : () -> ()
  "func.func"() <{function_type = (memref<?x?xf32, strided<[?, ?], offset: ?>, #hivm.address_space<ub>>, memref<?x?xf32, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>, i32) -> (), sym_name = "store_ubuf_to_gm_2d_float", sym_visibility = "private"}> ({
  }) {hacc.always_inline, hivm.func_core_type = #hivm.func_core_type<AIV>, llvm.emit_c_interface} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<sync_block_lock>}, {hacc.arg_type = #hacc.arg_type<workspace>}, {tt.tensor_kind = 0 : i32}, {tt.tensor_kind = 0 : i32}, {tt.tensor_kind = 0 : i32}, {}, {tt.tensor_kind = 1 : i32}, {}, {}, {}], function_type = (i64, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, i32, i32, i32) -> (), sym_name = "gemm_epilogue_mix_aiv"}> ({
  ^bb0(%arg0: i64, %arg1: memref<?xi8, #hivm.address_space<gm>>, %arg2: memref<?xi8, #hivm.address_space<gm>>, %arg3: memref<?xf32, #hivm.address_space<gm>>, %arg4: memref<?xf32, #hivm.address_space<gm>>, %arg5: memref<?xf32, #hivm.address_space<gm>>, %arg6: memref<?xf32, #hivm.address_space<gm>>, %arg7: memref<?xf32, #hivm.address_space<gm>>, %arg8: i32, %arg9: i32, %arg10: i32):
    %0 = "arith.constant"() <{value = 0 : i32}> : () -> i32
    %1 = "arith.constant"() <{value = 10368 : i64}> : () -> i64
    %2 = "arith.constant"() <{value = 8320 : i64}> : () -> i64
    %3 = "arith.constant"() <{value = 8256 : i64}> : () -> i64
    %4 = "arith.constant"() <{value = 6208 : i64}> : () -> i64
    %5 = "arith.constant"() <{value = 4160 : i64}> : () -> i64
    %6 = "arith.constant"() <{value = 4096 : i64}> : () -> i64
    %7 = "arith.constant"() <{value = 2048 : i64}> : () -> i64
    %8 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %9 = "arith.constant"() <{value = 8 : i32}> : () -> i32
    %10 = "arith.constant"() <{value = 2 : i32}> : () -> i32
    %11 = "arith.constant"() <{value = 32 : i32}> : () -> i32
    %12 = "arith.constant"() <{value = 4 : i32}> : () -> i32
    %13 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %14 = "arith.constant"() <{value = 0 : index}> : () -> index
    %15 = "arith.constant"() <{value = 1 : index}> : () -> index
    %16 = "hivm.hir.get_block_idx"() : () -> i64
    %17 = "arith.trunci"(%16) : (i64) -> i32
    %18 = "arith.muli"(%arg10, %arg9) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %19 = "hivm.hir.pointer_cast"(%8) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<16x32xf32, #hivm.address_space<ub>>
    %20 = "memref.collapse_shape"(%19) <{reassociation = [[0, 1]]}> : (memref<16x32xf32, #hivm.address_space<ub>>) -> memref<512xf32, #hivm.address_space<ub>>
    %21 = "memref.cast"(%20) : (memref<512xf32, #hivm.address_space<ub>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>
    "func.call"(%13, %21) <{callee = @broadcast_scalar_float_to_1d}> : (f32, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>) -> ()
    %22 = "hivm.hir.pointer_cast"(%8) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<16x32xi1, #hivm.address_space<ub>>
    %23 = "memref.collapse_shape"(%22) <{reassociation = [[0, 1]]}> : (memref<16x32xi1, #hivm.address_space<ub>>) -> memref<512xi1, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    %24 = "memref.cast"(%20) : (memref<512xf32, #hivm.address_space<ub>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>
    %25 = "memref.cast"(%20) : (memref<512xf32, #hivm.address_space<ub>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>
    %26 = "memref.cast"(%23) : (memref<512xi1, #hivm.address_space<ub>>) -> memref<?xi1, strided<[?], offset: ?>, #hivm.address_space<ub>>
    "func.call"(%24, %25, %26) <{callee = @vcmp_eq_1d_float}> : (memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xi1, strided<[?], offset: ?>, #hivm.address_space<ub>>) -> ()
    %27 = "hivm.hir.pointer_cast"(%8) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<16x32xi1, #hivm.address_space<ub>>
    %28 = "memref.collapse_shape"(%27) <{reassociation = [[0, 1]]}> : (memref<16x32xi1, #hivm.address_space<ub>>) -> memref<512xi1, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    %29 = "hivm.hir.pointer_cast"(%8) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<0xi1, #hivm.address_space<ub>>
    %30 = "memref.cast"(%23) : (memref<512xi1, #hivm.address_space<ub>>) -> memref<?xi1, strided<[?], offset: ?>, #hivm.address_space<ub>>
    %31 = "memref.cast"(%28) : (memref<512xi1, #hivm.address_space<ub>>) -> memref<?xi1, strided<[?], offset: ?>, #hivm.address_space<ub>>
    %32 = "memref.cast"(%29) : (memref<0xi1, #hivm.address_space<ub>>) -> memref<?xi1, strided<[?], offset: ?>, #hivm.address_space<ub>>
    "func.call"(%30, %31, %32) <{callee = @vnot_1d_bool}> : (memref<?xi1, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xi1, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xi1, strided<[?], offset: ?>, #hivm.address_space<ub>>) -> ()
    %33 = "hivm.hir.get_sub_block_idx"() : () -> i64
    %34 = "arith.index_cast"(%33) : (i64) -> index
    %35 = "affine.apply"(%34) <{map = affine_map<()[s0] -> (s0 * 16)>}> : (index) -> index
    "hivm.hir.set_ffts_base_addr"(%arg0) : (i64) -> ()
    "hivm.hir.set_mask_norm"() : () -> ()
    %36 = "arith.divsi"(%17, %18) : (i32, i32) -> i32
    %37 = "arith.remsi"(%36, %arg8) : (i32, i32) -> i32
    %38 = "hivm.hir.get_block_idx"() : () -> i64
    %39 = "arith.index_cast"(%38) : (i64) -> index
    %40 = "affine.apply"(%39) <{map = affine_map<()[s0] -> (s0 * 16384)>}> : (index) -> index
    %41 = "memref.view"(%arg2, %40) : (memref<?xi8, #hivm.address_space<gm>>, index) -> memref<4x32x32xf32, #hivm.address_space<gm>>
    "hivm.hir.sync_block_set"(%arg0) <{operandSegmentSizes = array<i32: 0, 1>, pipe = #hivm.pipe<PIPE_S>, static_flag_id = 0 : i64, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
    "hivm.hir.sync_block_set"(%arg0) <{operandSegmentSizes = array<i32: 0, 1>, pipe = #hivm.pipe<PIPE_S>, static_flag_id = 1 : i64, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
    "hivm.hir.sync_block_set"(%arg0) <{operandSegmentSizes = array<i32: 0, 1>, pipe = #hivm.pipe<PIPE_S>, static_flag_id = 2 : i64, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
    "hivm.hir.sync_block_set"(%arg0) <{operandSegmentSizes = array<i32: 0, 1>, pipe = #hivm.pipe<PIPE_S>, static_flag_id = 3 : i64, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "scf.for"(%37, %12, %9) ({
    ^bb0(%arg11: i32):
      %42 = "arith.index_cast"(%arg11) : (i32) -> index
      %43 = "affine.min"(%42) <{map = affine_map<(d0) -> ((-d0 + 4) ceildiv 2, 4)>}> : (index) -> index
      %44 = "memref.subview"(%41, %35) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: 0, -9223372036854775808, 0>, static_sizes = array<i64: 4, 16, 32>, static_strides = array<i64: 1, 1, 1>}> {to_be_bubbled_slice} : (memref<4x32x32xf32, #hivm.address_space<gm>>, index) -> memref<4x16x32xf32, strided<[1024, 32, 1], offset: ?>, #hivm.address_space<gm>>
      "scf.for"(%14, %43, %15) ({
      ^bb0(%arg12: index):
        %45 = "arith.index_cast"(%arg12) : (index) -> i64
        %46 = "affine.apply"(%arg12, %42) <{map = affine_map<(d0)[s0] -> (d0 * 2 + s0)>}> : (index, index) -> index
        %47 = "arith.index_cast"(%46) : (index) -> i32
        %48 = "arith.divsi"(%47, %10) : (i32, i32) -> i32
        %49 = "arith.muli"(%48, %11) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
        %50 = "arith.remsi"(%47, %10) : (i32, i32) -> i32
        %51 = "arith.muli"(%50, %11) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
        %52 = "arith.index_cast"(%49) : (i32) -> index
        %53 = "affine.max"(%52) <{map = affine_map<()[s0] -> (40, s0)>}> : (index) -> index
        %54 = "affine.min"(%53, %52) <{map = affine_map<()[s0, s1] -> (s1 + 32, s0)>}> : (index, index) -> index
        %55 = "affine.min"(%54, %52) <{map = affine_map<()[s0, s1] -> (32, s0 - s1)>}> : (index, index) -> index
        %56 = "arith.index_cast"(%51) : (i32) -> index
        %57 = "affine.max"(%56) <{map = affine_map<()[s0] -> (40, s0)>}> : (index) -> index
        %58 = "affine.min"(%57, %56) <{map = affine_map<()[s0, s1] -> (s1 + 32, s0)>}> : (index, index) -> index
        %59 = "affine.min"(%58, %56) <{map = affine_map<()[s0, s1] -> (32, s0 - s1)>}> : (index, index) -> index
        %60 = "affine.apply"(%56, %52) <{map = affine_map<()[s0, s1] -> (s0 + s1 * 40)>}> : (index, index) -> index
        "hivm.hir.sync_block_wait"() <{pipe = #hivm.pipe<PIPE_S>, static_flag_id = 4 : i64, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
        %61 = "memref.subview"(%44, %arg12) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0, 0>, static_sizes = array<i64: 1, 16, 32>, static_strides = array<i64: 1, 1, 1>}> : (memref<4x16x32xf32, strided<[1024, 32, 1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<16x32xf32, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>
        %62 = "hivm.hir.pointer_cast"(%7) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<16x32xf32, #hivm.address_space<ub>>
        %63 = "memref.collapse_shape"(%61) <{reassociation = [[0, 1]]}> : (memref<16x32xf32, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<512xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
        %64 = "memref.collapse_shape"(%62) <{reassociation = [[0, 1]]}> : (memref<16x32xf32, #hivm.address_space<ub>>) -> memref<512xf32, #hivm.address_space<ub>>
        "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        %65 = "memref.cast"(%63) : (memref<512xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<gm>>
        %66 = "memref.cast"(%64) : (memref<512xf32, #hivm.address_space<ub>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>
        "func.call"(%65, %66, %0, %13, %14) <{callee = @load_gm_to_ubuf_1d_float}> : (memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<gm>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, i32, f32, index) -> ()
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
        "hivm.hir.sync_block_set"(%45, %arg0) <{operandSegmentSizes = array<i32: 1, 1>, pipe = #hivm.pipe<PIPE_S>, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_MTE2>}> : (i64, i64) -> ()
        %67 = "hivm.hir.pointer_cast"(%6) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<16x32xi1, #hivm.address_space<ub>>
        %68 = "memref.collapse_shape"(%67) <{reassociation = [[0, 1]]}> : (memref<16x32xi1, #hivm.address_space<ub>>) -> memref<512xi1, #hivm.address_space<ub>>
        "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
        %69 = "memref.cast"(%64) : (memref<512xf32, #hivm.address_space<ub>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>
        %70 = "memref.cast"(%64) : (memref<512xf32, #hivm.address_space<ub>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>
        %71 = "memref.cast"(%68) : (memref<512xi1, #hivm.address_space<ub>>) -> memref<?xi1, strided<[?], offset: ?>, #hivm.address_space<ub>>
        "func.call"(%69, %70, %71) <{callee = @vcmp_eq_1d_float}> : (memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xi1, strided<[?], offset: ?>, #hivm.address_space<ub>>) -> ()
        %72 = "hivm.hir.pointer_cast"(%6) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<16x32xi1, #hivm.address_space<ub>>
        %73 = "memref.collapse_shape"(%72) <{reassociation = [[0, 1]]}> : (memref<16x32xi1, #hivm.address_space<ub>>) -> memref<512xi1, #hivm.address_space<ub>>
        "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
        %74 = "hivm.hir.pointer_cast"(%8) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<0xi1, #hivm.address_space<ub>>
        %75 = "memref.cast"(%68) : (memref<512xi1, #hivm.address_space<ub>>) -> memref<?xi1, strided<[?], offset: ?>, #hivm.address_space<ub>>
        %76 = "memref.cast"(%73) : (memref<512xi1, #hivm.address_space<ub>>) -> memref<?xi1, strided<[?], offset: ?>, #hivm.address_space<ub>>
        %77 = "memref.cast"(%74) : (memref<0xi1, #hivm.address_space<ub>>) -> memref<?xi1, strided<[?], offset: ?>, #hivm.address_space<ub>>
        "func.call"(%75, %76, %77) <{callee = @vnot_1d_bool}> : (memref<?xi1, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xi1, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xi1, strided<[?], offset: ?>, #hivm.address_space<ub>>) -> ()
        %78 = "hivm.hir.pointer_cast"(%5) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<16x32xf32, #hivm.address_space<ub>>
        %79 = "memref.collapse_shape"(%78) <{reassociation = [[0, 1]]}> : (memref<16x32xf32, #hivm.address_space<ub>>) -> memref<512xf32, #hivm.address_space<ub>>
        %80 = "hivm.hir.pointer_cast"(%8) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<0xf32, #hivm.address_space<ub>>
        %81 = "memref.cast"(%64) : (memref<512xf32, #hivm.address_space<ub>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>
        %82 = "memref.cast"(%79) : (memref<512xf32, #hivm.address_space<ub>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>
        %83 = "memref.cast"(%80) : (memref<0xf32, #hivm.address_space<ub>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>
        "func.call"(%81, %13, %82, %83) <{callee = @vmaxs_vs_1d_float}> : (memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, f32, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>) -> ()
        %84 = "hivm.hir.pointer_cast"(%4) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<16x32xf32, #hivm.address_space<ub>>
        %85 = "memref.collapse_shape"(%84) <{reassociation = [[0, 1]]}> : (memref<16x32xf32, #hivm.address_space<ub>>) -> memref<512xf32, #hivm.address_space<ub>>
        %86 = "hivm.hir.pointer_cast"(%3) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<16xf32, #hivm.address_space<ub>>
        "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
        %87 = "memref.cast"(%73) : (memref<512xi1, #hivm.address_space<ub>>) -> memref<?xi1, strided<[?], offset: ?>, #hivm.address_space<ub>>
        %88 = "memref.cast"(%79) : (memref<512xf32, #hivm.address_space<ub>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>
        %89 = "memref.cast"(%85) : (memref<512xf32, #hivm.address_space<ub>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>
        %90 = "memref.cast"(%86) : (memref<16xf32, #hivm.address_space<ub>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>
        "func.call"(%87, %13, %88, %89, %90) <{callee = @vsel_sv_1d_float}> : (memref<?xi1, strided<[?], offset: ?>, #hivm.address_space<ub>>, f32, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>) -> ()
        %91 = "hivm.hir.pointer_cast"(%2) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<16x32xf32, #hivm.address_space<ub>>
        %92 = "memref.collapse_shape"(%91) <{reassociation = [[0, 1]]}> : (memref<16x32xf32, #hivm.address_space<ub>>) -> memref<512xf32, #hivm.address_space<ub>>
        %93 = "hivm.hir.pointer_cast"(%1) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<8xf32, #hivm.address_space<ub>>
        "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
        "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
        %94 = "memref.cast"(%28) : (memref<512xi1, #hivm.address_space<ub>>) -> memref<?xi1, strided<[?], offset: ?>, #hivm.address_space<ub>>
        %95 = "memref.cast"(%64) : (memref<512xf32, #hivm.address_space<ub>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>
        %96 = "memref.cast"(%85) : (memref<512xf32, #hivm.address_space<ub>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>
        %97 = "memref.cast"(%92) : (memref<512xf32, #hivm.address_space<ub>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>
        %98 = "memref.cast"(%93) : (memref<8xf32, #hivm.address_space<ub>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>
        "func.call"(%94, %95, %96, %97, %98) <{callee = @vsel_vv_1d_bool_float}> : (memref<?xi1, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>) -> ()
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        %99 = "memref.reinterpret_cast"(%arg7, %60) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 32, 32>, static_strides = array<i64: 40, 1>}> : (memref<?xf32, #hivm.address_space<gm>>, index) -> memref<32x32xf32, strided<[40, 1], offset: ?>, #hivm.address_space<gm>>
        %100 = "memref.subview"(%99, %35) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: 16, 32>, static_strides = array<i64: 1, 1>}> {to_be_bubbled_slice} : (memref<32x32xf32, strided<[40, 1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<16x32xf32, strided<[40, 1], offset: ?>, #hivm.address_space<gm>>
        %101 = "affine.min"(%34, %54, %52) <{map = affine_map<()[s0, s1, s2] -> (32, s1 - s2, s0 * 16)>}> : (index, index, index) -> index
        %102 = "affine.min"(%55, %101) <{map = affine_map<()[s0, s1] -> (16, s0 - s1)>}> : (index, index) -> index
        %103 = "memref.subview"(%91, %102, %59) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<16x32xf32, #hivm.address_space<ub>>, index, index) -> memref<?x?xf32, strided<[32, 1]>, #hivm.address_space<ub>>
        %104 = "memref.subview"(%100, %102, %59) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<16x32xf32, strided<[40, 1], offset: ?>, #hivm.address_space<gm>>, index, index) -> memref<?x?xf32, strided<[40, 1], offset: ?>, #hivm.address_space<gm>>
        "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
        %105 = "memref.cast"(%103) : (memref<?x?xf32, strided<[32, 1]>, #hivm.address_space<ub>>) -> memref<?x?xf32, strided<[?, ?], offset: ?>, #hivm.address_space<ub>>
        %106 = "memref.cast"(%104) : (memref<?x?xf32, strided<[40, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<?x?xf32, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>
        "func.call"(%105, %106, %0) <{callee = @store_ubuf_to_gm_2d_float}> : (memref<?x?xf32, strided<[?, ?], offset: ?>, #hivm.address_space<ub>>, memref<?x?xf32, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>, i32) -> ()
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
        "scf.yield"() : () -> ()
      }) {hivm.loop_core_type = #hivm.tcore_type<VECTOR>, multibuffer_unroll_factor = 4 : i32} : (index, index, index) -> ()
      "scf.yield"() : () -> ()
    }) : (i32, i32, i32) -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()
    "func.return"() : () -> ()
  }) {SyncBlockLockArgIdx = 0 : i64, WorkspaceArgIdx = 1 : i64, func_dyn_memref_args = dense<[false, true, true, true, true, true, true, true, false, false, false]> : vector<11xi1>, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.part_of_mix, hivm.storage_aligned, mix_mode = "mix", parallel_mode = "simd"} : () -> ()
}) {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"AI_CORE_COUNT", 20 : i32>, #dlti.dl_entry<"CUBE_CORE_COUNT", 20 : i32>, #dlti.dl_entry<"VECTOR_CORE_COUNT", 40 : i32>, #dlti.dl_entry<"UB_SIZE", 1572864 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 1048576 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>>>, hivm.module_core_type = #hivm.module_core_type<MIX>} : () -> ()
