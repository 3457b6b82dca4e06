"builtin.module"() ({
  "func.func"() <{function_type = () -> index, sym_name = "gemm_epilogue_infer_workspace_shape_function"}> ({
    %249 = "arith.constant"() <{value = 16384 : index}> : () -> index
    "func.return"(%249) : (index) -> ()
  }) {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<infer_workspace_shape_function>} : () -> ()
  "func.func"() <{function_type = () -> i8, sym_name = "gemm_epilogue_infer_task_type_function"}> ({
    %248 = "arith.constant"() <{value = 32 : i8}> : () -> i8
    "func.return"(%248) : (i8) -> ()
  }) {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<infer_task_type_function>} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<sync_block_lock>}, {hacc.arg_type = #hacc.arg_type<workspace>}, {tt.tensor_kind = 0 : i32}, {tt.tensor_kind = 0 : i32}, {tt.tensor_kind = 0 : i32}, {}, {tt.tensor_kind = 1 : i32}, {}, {}, {}], function_type = (i64, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xf16, #hivm.address_space<gm>>, memref<?xf16, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, memref<?xf16, #hivm.address_space<gm>>, i32, i32, i32) -> (), sym_name = "gemm_epilogue_mix_aic"}> ({
  ^bb0(%arg13: i64, %arg14: memref<?xi8, #hivm.address_space<gm>>, %arg15: memref<?xi8, #hivm.address_space<gm>>, %arg16: memref<?xf16, #hivm.address_space<gm>>, %arg17: memref<?xf16, #hivm.address_space<gm>>, %arg18: memref<?xf32, #hivm.address_space<gm>>, %arg19: memref<?xf32, #hivm.address_space<gm>>, %arg20: memref<?xf16, #hivm.address_space<gm>>, %arg21: i32, %arg22: i32, %arg23: i32):
    %133 = "arith.constant"() <{value = false}> : () -> i1
    %134 = "arith.constant"() <{value = 0 : i8}> : () -> i8
    %135 = "arith.constant"() <{value = 8 : i32}> : () -> i32
    %136 = "arith.constant"() <{value = 1 : index}> : () -> index
    %137 = "arith.constant"() <{value = 0 : index}> : () -> index
    %138 = "arith.constant"() <{value = 0.000000e+00 : f16}> : () -> f16
    %139 = "arith.constant"() <{value = 32 : index}> : () -> index
    %140 = "arith.constant"() <{value = 3 : i32}> : () -> i32
    %141 = "arith.constant"() <{value = 32 : i32}> : () -> i32
    %142 = "arith.constant"() <{value = 80 : i32}> : () -> i32
    %143 = "arith.constant"() <{value = 0 : i32}> : () -> i32
    %144 = "arith.constant"() <{value = 6 : i32}> : () -> i32
    %145 = "arith.constant"() <{value = 1 : i64}> : () -> i64
    %146 = "arith.constant"() <{value = 3 : i64}> : () -> i64
    %147 = "arith.constant"() <{value = 4 : i64}> : () -> i64
    %148 = "arith.constant"() <{value = 2 : i64}> : () -> i64
    %149 = "arith.constant"() <{value = -1 : i64}> : () -> i64
    %150 = "arith.constant"() <{value = 4096 : i64}> : () -> i64
    %151 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %152 = "arith.constant"() <{value = 2048 : i64}> : () -> i64
    %153 = "arith.constant"() <{value = 6144 : i64}> : () -> i64
    %154 = "hivm.hir.pointer_cast"(%152) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2x2x16x16xf16, #hivm.address_space<cbuf>>
    %155 = "hivm.hir.pointer_cast"(%153) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2x2x16x16xf16, #hivm.address_space<cbuf>>
    %156 = "hivm.hir.pointer_cast"(%151) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2x2x16x16xf16, #hivm.address_space<cbuf>>
    %157 = "hivm.hir.pointer_cast"(%150) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2x2x16x16xf16, #hivm.address_space<cbuf>>
    "hivm.hir.set_ffts_base_addr"(%arg13) : (i64) -> ()
    "hivm.hir.set_mask_norm"() : () -> ()
    %158 = "hivm.hir.get_block_idx"() : () -> i64
    %159 = "arith.trunci"(%158) : (i64) -> i32
    %160 = "arith.muli"(%arg23, %arg22) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %161 = "arith.divsi"(%159, %160) : (i32, i32) -> i32
    %162 = "arith.remsi"(%161, %arg21) : (i32, i32) -> i32
    %163 = "hivm.hir.get_block_idx"() : () -> i64
    %164 = "arith.index_cast"(%163) : (i64) -> index
    %165 = "affine.apply"(%164) <{map = affine_map<()[s0] -> (s0 * 16384)>}> : (index) -> index
    %166 = "memref.view"(%arg15, %165) : (memref<?xi8, #hivm.address_space<gm>>, index) -> memref<4x32x32xf32, #hivm.address_space<gm>>
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID2>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID3>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID4>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_FIX>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_M>}> : () -> ()
    "scf.for"(%162, %144, %135) ({
    ^bb0(%arg24: i32):
      %167 = "arith.index_cast"(%arg24) : (i32) -> index
      %168 = "affine.min"(%167) <{map = affine_map<(d0) -> ((-d0 + 6) ceildiv 2, 4)>}> : (index) -> index
      "scf.for"(%137, %168, %136) ({
      ^bb0(%arg25: index):
        %169 = "arith.index_cast"(%arg25) : (index) -> i64
        %170 = "affine.apply"(%arg25, %167) <{map = affine_map<(d0)[s0] -> (d0 * 2 + s0)>}> : (index, index) -> index
        %171 = "arith.index_cast"(%170) : (index) -> i32
        %172 = "arith.divsi"(%171, %140) : (i32, i32) -> i32
        %173 = "arith.muli"(%172, %141) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
        %174 = "arith.remsi"(%171, %140) : (i32, i32) -> i32
        %175 = "arith.muli"(%174, %141) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
        %176 = "arith.index_cast"(%173) : (i32) -> index
        %177 = "affine.max"(%176) <{map = affine_map<()[s0] -> (40, s0)>}> : (index) -> index
        %178 = "affine.min"(%177, %176) <{map = affine_map<()[s0, s1] -> (s1 + 32, s0)>}> : (index, index) -> index
        %179 = "affine.min"(%178, %176) <{map = affine_map<()[s0, s1] -> (32, s0 - s1)>}> : (index, index) -> index
        %180 = "arith.cmpi"(%179, %139) <{predicate = 2 : i64}> : (index, index) -> i1
        %181 = "arith.index_cast"(%175) : (i32) -> index
        %182 = "affine.max"(%181) <{map = affine_map<()[s0] -> (72, s0)>}> : (index) -> index
        %183 = "affine.min"(%182, %181) <{map = affine_map<()[s0, s1] -> (s1 + 32, s0)>}> : (index, index) -> index
        %184 = "affine.min"(%183, %181) <{map = affine_map<()[s0, s1] -> (32, s0 - s1)>}> : (index, index) -> index
        %185 = "arith.cmpi"(%184, %139) <{predicate = 2 : i64}> : (index, index) -> i1
        %186 = "hivm.hir.pointer_cast"(%151) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2x2x16x16xf32, #hivm.address_space<cc>>
        "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_FIX>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_M>}> : () -> ()
        "scf.for"(%143, %142, %141) ({
        ^bb0(%arg26: i32):
          %191 = "arith.index_cast"(%arg26) : (i32) -> index
          %192 = "arith.index_cast"(%arg24) : (i32) -> index
          %193 = "arith.index_cast"(%162) : (i32) -> index
          %194 = "affine.apply"(%191, %arg25, %168, %192, %193) <{map = affine_map<()[s0, s1, s2, s3, s4] -> (s0 floordiv 32 + s1 * 3 + ((s3 - s4) floordiv 8) * (s2 * 3) - ((s1 * 3 + s0 floordiv 32 + ((s3 - s4) floordiv 8) * (s2 * 3)) floordiv 2) * 2)>}> : (index, index, index, index, index) -> index
          %195 = "arith.index_cast"(%194) : (index) -> i64
          %196 = "arith.cmpi"(%195, %145) <{predicate = 0 : i64}> : (i64, i64) -> i1
          %197 = "arith.select"(%196, %155, %154) : (i1, memref<2x2x16x16xf16, #hivm.address_space<cbuf>>, memref<2x2x16x16xf16, #hivm.address_space<cbuf>>) -> memref<2x2x16x16xf16, #hivm.address_space<cbuf>>
          %198 = "arith.index_cast"(%arg26) : (i32) -> index
          %199 = "arith.index_cast"(%arg24) : (i32) -> index
          %200 = "arith.index_cast"(%162) : (i32) -> index
          %201 = "affine.apply"(%198, %arg25, %168, %199, %200) <{map = affine_map<()[s0, s1, s2, s3, s4] -> (s0 floordiv 32 + s1 * 3 + ((s3 - s4) floordiv 8) * (s2 * 3) - ((s1 * 3 + s0 floordiv 32 + ((s3 - s4) floordiv 8) * (s2 * 3)) floordiv 2) * 2)>}> : (index, index, index, index, index) -> index
          %202 = "arith.index_cast"(%201) : (index) -> i64
          %203 = "arith.cmpi"(%202, %145) <{predicate = 0 : i64}> : (i64, i64) -> i1
          %204 = "arith.select"(%203, %157, %156) : (i1, memref<2x2x16x16xf16, #hivm.address_space<cbuf>>, memref<2x2x16x16xf16, #hivm.address_space<cbuf>>) -> memref<2x2x16x16xf16, #hivm.address_space<cbuf>>
          %205 = "arith.index_cast"(%arg26) : (i32) -> index
          %206 = "arith.index_cast"(%arg24) : (i32) -> index
          %207 = "arith.index_cast"(%162) : (i32) -> index
          %208 = "affine.apply"(%205, %arg25, %168, %206, %207) <{map = affine_map<()[s0, s1, s2, s3, s4] -> (s0 floordiv 32 + s1 * 3 + ((s3 - s4) floordiv 8) * (s2 * 3))>}> : (index, index, index, index, index) -> index
          %209 = "arith.index_cast"(%208) : (index) -> i64
          %210 = "arith.index_cast"(%arg26) : (i32) -> index
          %211 = "arith.index_cast"(%arg24) : (i32) -> index
          %212 = "arith.index_cast"(%162) : (i32) -> index
          %213 = "affine.apply"(%210, %arg25, %168, %211, %212) <{map = affine_map<()[s0, s1, s2, s3, s4] -> (s0 floordiv 32 + s1 * 3 + ((s3 - s4) floordiv 8) * (s2 * 3) - ((s1 * 3 + s0 floordiv 32 + ((s3 - s4) floordiv 8) * (s2 * 3)) floordiv 2) * 2)>}> : (index, index, index, index, index) -> index
          %214 = "arith.index_cast"(%213) : (index) -> i1
          %215 = "arith.select"(%214, %146, %147) : (i1, i64, i64) -> i64
          %216 = "arith.index_cast"(%213) : (index) -> i1
          %217 = "arith.select"(%216, %145, %148) : (i1, i64, i64) -> i64
          %218 = "arith.index_cast"(%arg26) : (i32) -> index
          %219 = "affine.apply"(%218, %176) <{map = affine_map<()[s0, s1] -> (s0 + s1 * 80)>}> : (index, index) -> index
          %220 = "memref.reinterpret_cast"(%arg16, %219) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 32, 32>, static_strides = array<i64: 80, 1>}> : (memref<?xf16, #hivm.address_space<gm>>, index) -> memref<32x32xf16, strided<[80, 1], offset: ?>, #hivm.address_space<gm>>
          %221 = "affine.max"(%218) <{map = affine_map<()[s0] -> (80, s0)>}> : (index) -> index
          %222 = "affine.min"(%221, %218) <{map = affine_map<()[s0, s1] -> (s1 + 32, s0)>}> : (index, index) -> index
          %223 = "affine.min"(%222, %218) <{map = affine_map<()[s0, s1] -> (32, s0 - s1)>}> : (index, index) -> index
          %224 = "arith.cmpi"(%223, %139) <{predicate = 2 : i64}> : (index, index) -> i1
          %225 = "arith.ori"(%180, %224) : (i1, i1) -> i1
          %226 = "memref.subview"(%220, %179, %223) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<32x32xf16, strided<[80, 1], offset: ?>, #hivm.address_space<gm>>, index, index) -> memref<?x?xf16, strided<[80, 1], offset: ?>, #hivm.address_space<gm>>
          %227 = "affine.apply"(%179) <{map = affine_map<()[s0] -> ((s0 + 15) floordiv 16)>}> : (index) -> index
          %228 = "affine.apply"(%223) <{map = affine_map<()[s0] -> ((s0 + 15) floordiv 16)>}> : (index) -> index
          %229 = "memref.subview"(%204, %228, %227) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808, 16, 16>, static_strides = array<i64: 1, 1, 1, 1>}> : (memref<2x2x16x16xf16, #hivm.address_space<cbuf>>, index, index) -> memref<?x?x16x16xf16, strided<[512, 256, 16, 1]>, #hivm.address_space<cbuf>>
          "scf.if"(%225) ({
            "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
            %246 = "memref.collapse_shape"(%204) <{reassociation = [[0, 1, 2, 3]]}> : (memref<2x2x16x16xf16, #hivm.address_space<cbuf>>) -> memref<1024xf16, #hivm.address_space<cbuf>>
            "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
            %247 = "memref.cast"(%246) : (memref<1024xf16, #hivm.address_space<cbuf>>) -> memref<?xf16, strided<[?], offset: ?>, #hivm.address_space<cbuf>>
            "func.call"(%138, %247) <{callee = @set_l1_2d_half}> : (f16, memref<?xf16, strided<[?], offset: ?>, #hivm.address_space<cbuf>>) -> ()
            "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
            "scf.yield"() : () -> ()
          }, {
          }) {hivm.unlikely_condition} : (i1) -> ()
          "hivm.hir.wait_flag"(%217) <{set_pipe = #hivm.pipe<PIPE_MTE1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
          %230 = "memref.cast"(%226) : (memref<?x?xf16, strided<[80, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<?x?xf16, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>
          %231 = "memref.cast"(%229) : (memref<?x?x16x16xf16, strided<[512, 256, 16, 1]>, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf16, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>
          "func.call"(%230, %231) <{callee = @nd2nz_half}> : (memref<?x?xf16, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>, memref<?x?x?x?xf16, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>) -> ()
          "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE1>}> : () -> ()
          %232 = "affine.apply"(%181, %218) <{map = affine_map<()[s0, s1] -> (s0 + s1 * 72)>}> : (index, index) -> index
          %233 = "memref.reinterpret_cast"(%arg17, %232) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 32, 32>, static_strides = array<i64: 72, 1>}> : (memref<?xf16, #hivm.address_space<gm>>, index) -> memref<32x32xf16, strided<[72, 1], offset: ?>, #hivm.address_space<gm>>
          %234 = "arith.ori"(%224, %185) : (i1, i1) -> i1
          %235 = "memref.subview"(%233, %223, %184) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<32x32xf16, strided<[72, 1], offset: ?>, #hivm.address_space<gm>>, index, index) -> memref<?x?xf16, strided<[72, 1], offset: ?>, #hivm.address_space<gm>>
          %236 = "affine.apply"(%184) <{map = affine_map<()[s0] -> ((s0 + 15) floordiv 16)>}> : (index) -> index
          %237 = "memref.subview"(%197, %236, %228) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808, 16, 16>, static_strides = array<i64: 1, 1, 1, 1>}> : (memref<2x2x16x16xf16, #hivm.address_space<cbuf>>, index, index) -> memref<?x?x16x16xf16, strided<[512, 256, 16, 1]>, #hivm.address_space<cbuf>>
          "scf.if"(%234) ({
            "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
            %244 = "memref.collapse_shape"(%197) <{reassociation = [[0, 1, 2, 3]]}> : (memref<2x2x16x16xf16, #hivm.address_space<cbuf>>) -> memref<1024xf16, #hivm.address_space<cbuf>>
            "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
            %245 = "memref.cast"(%244) : (memref<1024xf16, #hivm.address_space<cbuf>>) -> memref<?xf16, strided<[?], offset: ?>, #hivm.address_space<cbuf>>
            "func.call"(%138, %245) <{callee = @set_l1_2d_half}> : (f16, memref<?xf16, strided<[?], offset: ?>, #hivm.address_space<cbuf>>) -> ()
            "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
            "scf.yield"() : () -> ()
          }, {
          }) {hivm.unlikely_condition} : (i1) -> ()
          "hivm.hir.wait_flag"(%215) <{set_pipe = #hivm.pipe<PIPE_MTE1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
          %238 = "memref.cast"(%235) : (memref<?x?xf16, strided<[72, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<?x?xf16, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>
          %239 = "memref.cast"(%237) : (memref<?x?x16x16xf16, strided<[512, 256, 16, 1]>, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf16, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>
          "func.call"(%238, %239) <{callee = @nd2nz_half}> : (memref<?x?xf16, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>, memref<?x?x?x?xf16, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>) -> ()
          "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE1>}> : () -> ()
          %240 = "arith.cmpi"(%arg26, %143) <{predicate = 0 : i64}> : (i32, i32) -> i1
          %241 = "memref.cast"(%204) : (memref<2x2x16x16xf16, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf16, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>
          %242 = "memref.cast"(%197) : (memref<2x2x16x16xf16, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xf16, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>
          %243 = "memref.cast"(%186) : (memref<2x2x16x16xf32, #hivm.address_space<cc>>) -> memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cc>>
          "func.call"(%241, %242, %240, %179, %223, %184, %243, %151, %145, %217, %215, %209, %149, %149, %134) <{callee = @mma_tile_half_to_float}> : (memref<?x?x?x?xf16, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>, memref<?x?x?x?xf16, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>, i1, index, index, index, memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cc>>, i64, i64, i64, i64, i64, i64, i64, i8) -> ()
          "scf.yield"() : () -> ()
        }) {fixpipe_for_mmad_result_already_inserted = true, pipeline.cubeonly} : (i32, i32, i32) -> ()
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
        %187 = "memref.subview"(%166, %arg25) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0, 0>, static_sizes = array<i64: 1, 32, 32>, static_strides = array<i64: 1, 1, 1>}> : (memref<4x32x32xf32, #hivm.address_space<gm>>, index) -> memref<1x32x32xf32, strided<[1024, 32, 1], offset: ?>, #hivm.address_space<gm>>
        %188 = "memref.collapse_shape"(%187) <{reassociation = [[0, 1], [2]]}> : (memref<1x32x32xf32, strided<[1024, 32, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<32x32xf32, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>
        "hivm.hir.sync_block_wait"(%169) <{pipe = #hivm.pipe<PIPE_S>, tcore_type = #hivm.tcore_type<CUBE>, tpipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
        "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
        %189 = "memref.cast"(%186) : (memref<2x2x16x16xf32, #hivm.address_space<cc>>) -> memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cc>>
        %190 = "memref.cast"(%188) : (memref<32x32xf32, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<?x?xf32, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>
        "func.call"(%189, %190, %151, %151, %133, %134) <{callee = @fixpipe_nz2nd_float_to_float_4d_to_2d}> : (memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cc>>, memref<?x?xf32, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>, i64, i64, i1, i8) -> ()
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_FIX>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_M>}> : () -> ()
        "hivm.hir.sync_block_set"(%arg13) <{operandSegmentSizes = array<i32: 0, 1>, pipe = #hivm.pipe<PIPE_S>, static_flag_id = 4 : i64, tcore_type = #hivm.tcore_type<CUBE>, tpipe = #hivm.pipe<PIPE_FIX>}> : (i64) -> ()
        "scf.yield"() : () -> ()
      }) {hivm.loop_core_type = #hivm.tcore_type<CUBE>, multibuffer_unroll_factor = 4 : i32} : (index, index, index) -> ()
      "scf.yield"() : () -> ()
    }) : (i32, i32, i32) -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_FIX>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_M>}> : () -> ()
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
  "func.func"() <{function_type = (f16, memref<?xf16, strided<[?], offset: ?>, #hivm.address_space<cbuf>>) -> (), sym_name = "set_l1_2d_half", sym_visibility = "private"}> ({
  }) {hacc.always_inline, hivm.func_core_type = #hivm.func_core_type<AIC>, llvm.emit_c_interface} : () -> ()
  "func.func"() <{function_type = (memref<?x?xf16, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>, memref<?x?x?x?xf16, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>) -> (), sym_name = "nd2nz_half", sym_visibility = "private"}> ({
  }) {hacc.always_inline, hivm.func_core_type = #hivm.func_core_type<AIC>, llvm.emit_c_interface} : () -> ()
  "func.func"() <{function_type = (memref<?x?x?x?xf16, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>, memref<?x?x?x?xf16, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>, i1, index, index, index, memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cc>>, i64, i64, i64, i64, i64, i64, i64, i8) -> (), sym_name = "mma_tile_half_to_float", sym_visibility = "private"}> ({
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
  "func.func"() <{function_type = (memref<?x?xf32, strided<[?, ?], offset: ?>, #hivm.address_space<ub>>, memref<?x?xf32, strided<[?, ?], offset: ?>, #hivm.address_space<ub>>, memref<?x?xf32, strided<[?, ?], offset: ?>, #hivm.address_space<ub>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>) -> (), sym_name = "vadd_2d_float", sym_visibility = "private"}> ({
  }) {hacc.always_inline, hivm.func_core_type = #hivm.func_core_type<AIV>, llvm.emit_c_interface} : () -> ()
  "func.func"() <{function_type = (memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, f32, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>) -> (), sym_name = "vmaxs_vs_1d_float", sym_visibility = "private"}> ({
  }) {hacc.always_inline, hivm.func_core_type = #hivm.func_core_type<AIV>, llvm.emit_c_interface} : () -> ()
  "func.func"() <{function_type = (memref<?xi1, strided<[?], offset: ?>, #hivm.address_space<ub>>, f32, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>) -> (), sym_name = "vsel_sv_1d_float", sym_visibility = "private"}> ({
  }) {hacc.always_inline, hivm.func_core_type = #hivm.func_core_type<AIV>, llvm.emit_c_interface} : () -> ()
  "func.func"() <{function_type = (memref<?xi1, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>) -> (), sym_name = "vsel_vv_1d_bool_float", sym_visibility = "private"}> ({
  }) {hacc.always_inline, hivm.func_core_type = #hivm.func_core_type<AIV>, llvm.emit_c_interface} : () -> ()
  "func.func"() <{function_type = (memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xf16, strided<[?], offset: ?>, #hivm.address_space<ub>>, i32) -> (), sym_name = "vcast_float_to_half_1d_with_mode", sym_visibility = "private"}> ({
  }) {hacc.always_inline, hivm.func_core_type = #hivm.func_core_type<AIV>, llvm.emit_c_interface} : () -> ()
  "func.func"() <{function_type = (memref<?x?xf16, strided<[?, ?], offset: ?>, #hivm.address_space<ub>>, memref<?x?xf16, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>, i32) -> (), sym_name = "store_ubuf_to_gm_2d_half", sym_visibility = "private"}> ({
  }) {hacc.always_inline, hivm.func_core_type = #hivm.func_core_type<AIV>, llvm.emit_c_interface} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<sync_block_lock>}, {hacc.arg_type = #hacc.arg_type<workspace>}, {tt.tensor_kind = 0 : i32}, {tt.tensor_kind = 0 : i32}, {tt.tensor_kind = 0 : i32}, {}, {tt.tensor_kind = 1 : i32}, {}, {}, {}], function_type = (i64, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xf16, #hivm.address_space<gm>>, memref<?xf16, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, memref<?xf16, #hivm.address_space<gm>>, i32, i32, i32) -> (), sym_name = "gemm_epilogue_mix_aiv"}> ({
  ^bb0(%arg0: i64, %arg1: memref<?xi8, #hivm.address_space<gm>>, %arg2: memref<?xi8, #hivm.address_space<gm>>, %arg3: memref<?xf16, #hivm.address_space<gm>>, %arg4: memref<?xf16, #hivm.address_space<gm>>, %arg5: memref<?xf32, #hivm.address_space<gm>>, %arg6: memref<?xf32, #hivm.address_space<gm>>, %arg7: memref<?xf16, #hivm.address_space<gm>>, %arg8: i32, %arg9: i32, %arg10: i32):
    %0 = "arith.constant"() <{value = 2 : i32}> : () -> i32
    %1 = "arith.constant"() <{value = 0 : i32}> : () -> i32
    %2 = "arith.constant"() <{value = 10496 : i64}> : () -> i64
    %3 = "arith.constant"() <{value = 8448 : i64}> : () -> i64
    %4 = "arith.constant"() <{value = 8384 : i64}> : () -> i64
    %5 = "arith.constant"() <{value = 6336 : i64}> : () -> i64
    %6 = "arith.constant"() <{value = 4288 : i64}> : () -> i64
    %7 = "arith.constant"() <{value = 4224 : i64}> : () -> i64
    %8 = "arith.constant"() <{value = 4096 : i64}> : () -> i64
    %9 = "arith.constant"() <{value = 2048 : i64}> : () -> i64
    %10 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %11 = "arith.constant"() <{value = 8 : i32}> : () -> i32
    %12 = "arith.constant"() <{value = 32 : index}> : () -> index
    %13 = "arith.constant"() <{value = 3 : i32}> : () -> i32
    %14 = "arith.constant"() <{value = 32 : i32}> : () -> i32
    %15 = "arith.constant"() <{value = 6 : i32}> : () -> i32
    %16 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %17 = "arith.constant"() <{value = 0 : index}> : () -> index
    %18 = "arith.constant"() <{value = 1 : index}> : () -> index
    %19 = "hivm.hir.get_block_idx"() : () -> i64
    %20 = "arith.trunci"(%19) : (i64) -> i32
    %21 = "arith.muli"(%arg10, %arg9) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %22 = "hivm.hir.pointer_cast"(%10) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<16x32xf32, #hivm.address_space<ub>>
    %23 = "memref.collapse_shape"(%22) <{reassociation = [[0, 1]]}> : (memref<16x32xf32, #hivm.address_space<ub>>) -> memref<512xf32, #hivm.address_space<ub>>
    %24 = "memref.cast"(%23) : (memref<512xf32, #hivm.address_space<ub>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>
    "func.call"(%16, %24) <{callee = @broadcast_scalar_float_to_1d}> : (f32, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>) -> ()
    %25 = "hivm.hir.pointer_cast"(%10) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<16x32xi1, #hivm.address_space<ub>>
    %26 = "memref.collapse_shape"(%25) <{reassociation = [[0, 1]]}> : (memref<16x32xi1, #hivm.address_space<ub>>) -> memref<512xi1, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    %27 = "memref.cast"(%23) : (memref<512xf32, #hivm.address_space<ub>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>
    %28 = "memref.cast"(%23) : (memref<512xf32, #hivm.address_space<ub>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>
    %29 = "memref.cast"(%26) : (memref<512xi1, #hivm.address_space<ub>>) -> memref<?xi1, strided<[?], offset: ?>, #hivm.address_space<ub>>
    "func.call"(%27, %28, %29) <{callee = @vcmp_eq_1d_float}> : (memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xi1, strided<[?], offset: ?>, #hivm.address_space<ub>>) -> ()
    %30 = "hivm.hir.pointer_cast"(%10) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<16x32xi1, #hivm.address_space<ub>>
    %31 = "memref.collapse_shape"(%30) <{reassociation = [[0, 1]]}> : (memref<16x32xi1, #hivm.address_space<ub>>) -> memref<512xi1, #hivm.address_space<ub>>
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    %32 = "hivm.hir.pointer_cast"(%10) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<0xi1, #hivm.address_space<ub>>
    %33 = "memref.cast"(%26) : (memref<512xi1, #hivm.address_space<ub>>) -> memref<?xi1, strided<[?], offset: ?>, #hivm.address_space<ub>>
    %34 = "memref.cast"(%31) : (memref<512xi1, #hivm.address_space<ub>>) -> memref<?xi1, strided<[?], offset: ?>, #hivm.address_space<ub>>
    %35 = "memref.cast"(%32) : (memref<0xi1, #hivm.address_space<ub>>) -> memref<?xi1, strided<[?], offset: ?>, #hivm.address_space<ub>>
    "func.call"(%33, %34, %35) <{callee = @vnot_1d_bool}> : (memref<?xi1, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xi1, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xi1, strided<[?], offset: ?>, #hivm.address_space<ub>>) -> ()
    %36 = "hivm.hir.get_sub_block_idx"() : () -> i64
    %37 = "arith.index_cast"(%36) : (i64) -> index
    %38 = "affine.apply"(%37) <{map = affine_map<()[s0] -> (s0 * 16)>}> : (index) -> index
    "hivm.hir.set_ffts_base_addr"(%arg0) : (i64) -> ()
    "hivm.hir.set_mask_norm"() : () -> ()
    %39 = "arith.divsi"(%20, %21) : (i32, i32) -> i32
    %40 = "arith.remsi"(%39, %arg8) : (i32, i32) -> i32
    %41 = "hivm.hir.get_block_idx"() : () -> i64
    %42 = "arith.index_cast"(%41) : (i64) -> index
    %43 = "affine.apply"(%42) <{map = affine_map<()[s0] -> (s0 * 16384)>}> : (index) -> index
    %44 = "memref.view"(%arg2, %43) : (memref<?xi8, #hivm.address_space<gm>>, index) -> memref<4x32x32xf32, #hivm.address_space<gm>>
    "hivm.hir.sync_block_set"(%arg0) <{operandSegmentSizes = array<i32: 0, 1>, pipe = #hivm.pipe<PIPE_S>, static_flag_id = 0 : i64, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
    "hivm.hir.sync_block_set"(%arg0) <{operandSegmentSizes = array<i32: 0, 1>, pipe = #hivm.pipe<PIPE_S>, static_flag_id = 1 : i64, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
    "hivm.hir.sync_block_set"(%arg0) <{operandSegmentSizes = array<i32: 0, 1>, pipe = #hivm.pipe<PIPE_S>, static_flag_id = 2 : i64, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
    "hivm.hir.sync_block_set"(%arg0) <{operandSegmentSizes = array<i32: 0, 1>, pipe = #hivm.pipe<PIPE_S>, static_flag_id = 3 : i64, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "scf.for"(%40, %15, %11) ({
    ^bb0(%arg11: i32):
      %45 = "arith.index_cast"(%arg11) : (i32) -> index
      %46 = "affine.min"(%45) <{map = affine_map<(d0) -> ((-d0 + 6) ceildiv 2, 4)>}> : (index) -> index
      %47 = "memref.subview"(%44, %38) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: 0, -9223372036854775808, 0>, static_sizes = array<i64: 4, 16, 32>, static_strides = array<i64: 1, 1, 1>}> {to_be_bubbled_slice} : (memref<4x32x32xf32, #hivm.address_space<gm>>, index) -> memref<4x16x32xf32, strided<[1024, 32, 1], offset: ?>, #hivm.address_space<gm>>
      "scf.for"(%17, %46, %18) ({
      ^bb0(%arg12: index):
        %48 = "arith.index_cast"(%arg12) : (index) -> i64
        %49 = "affine.apply"(%arg12, %45) <{map = affine_map<(d0)[s0] -> (d0 * 2 + s0)>}> : (index, index) -> index
        %50 = "arith.index_cast"(%49) : (index) -> i32
        %51 = "arith.divsi"(%50, %13) : (i32, i32) -> i32
        %52 = "arith.muli"(%51, %14) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
        %53 = "arith.remsi"(%50, %13) : (i32, i32) -> i32
        %54 = "arith.muli"(%53, %14) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
        %55 = "arith.index_cast"(%52) : (i32) -> index
        %56 = "affine.max"(%55) <{map = affine_map<()[s0] -> (40, s0)>}> : (index) -> index
        %57 = "affine.min"(%56, %55) <{map = affine_map<()[s0, s1] -> (s1 + 32, s0)>}> : (index, index) -> index
        %58 = "affine.min"(%57, %55) <{map = affine_map<()[s0, s1] -> (32, s0 - s1)>}> : (index, index) -> index
        "hivm.hir.sync_block_wait"() <{pipe = #hivm.pipe<PIPE_S>, static_flag_id = 4 : i64, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
        %59 = "memref.subview"(%47, %arg12) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0, 0>, static_sizes = array<i64: 1, 16, 32>, static_strides = array<i64: 1, 1, 1>}> : (memref<4x16x32xf32, strided<[1024, 32, 1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<16x32xf32, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>
        %60 = "hivm.hir.pointer_cast"(%9) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<16x32xf32, #hivm.address_space<ub>>
        %61 = "memref.collapse_shape"(%59) <{reassociation = [[0, 1]]}> : (memref<16x32xf32, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<512xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
        %62 = "memref.collapse_shape"(%60) <{reassociation = [[0, 1]]}> : (memref<16x32xf32, #hivm.address_space<ub>>) -> memref<512xf32, #hivm.address_space<ub>>
        "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        %63 = "memref.cast"(%61) : (memref<512xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<gm>>
        %64 = "memref.cast"(%62) : (memref<512xf32, #hivm.address_space<ub>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>
        "func.call"(%63, %64, %1, %16, %17) <{callee = @load_gm_to_ubuf_1d_float}> : (memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<gm>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, i32, f32, index) -> ()
        "hivm.hir.sync_block_set"(%48, %arg0) <{operandSegmentSizes = array<i32: 1, 1>, pipe = #hivm.pipe<PIPE_S>, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_MTE2>}> : (i64, i64) -> ()
        %65 = "arith.index_cast"(%54) : (i32) -> index
        %66 = "memref.reinterpret_cast"(%arg5, %65) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 1, 32>, static_strides = array<i64: 32, 1>}> : (memref<?xf32, #hivm.address_space<gm>>, index) -> memref<1x32xf32, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>
        %67 = "affine.apply"(%65, %55) <{map = affine_map<()[s0, s1] -> (s0 + s1 * 72)>}> : (index, index) -> index
        %68 = "affine.max"(%65) <{map = affine_map<()[s0] -> (72, s0)>}> : (index) -> index
        %69 = "affine.min"(%68, %65) <{map = affine_map<()[s0, s1] -> (s1 + 32, s0)>}> : (index, index) -> index
        %70 = "affine.min"(%69, %65) <{map = affine_map<()[s0, s1] -> (32, s0 - s1)>}> : (index, index) -> index
        %71 = "affine.apply"(%69, %65) <{map = affine_map<()[s0, s1] -> (s0 - s1)>}> : (index, index) -> index
        %72 = "hivm.hir.pointer_cast"(%8) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1x32xf32, #hivm.address_space<ub>>
        %73 = "arith.cmpi"(%71, %12) <{predicate = 2 : i64}> : (index, index) -> i1
        %74 = "memref.subview"(%66, %71) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 1, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<1x32xf32, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<1x?xf32, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>
        %75 = "memref.subview"(%72, %71) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 1, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<1x32xf32, #hivm.address_space<ub>>, index) -> memref<1x?xf32, strided<[32, 1]>, #hivm.address_space<ub>>
        "scf.if"(%73) ({
          %131 = "memref.collapse_shape"(%72) <{reassociation = [[0, 1]]}> : (memref<1x32xf32, #hivm.address_space<ub>>) -> memref<32xf32, #hivm.address_space<ub>>
          %132 = "memref.cast"(%131) : (memref<32xf32, #hivm.address_space<ub>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>
          "func.call"(%16, %132) <{callee = @broadcast_scalar_float_to_1d}> : (f32, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>) -> ()
          "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
          "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
          "scf.yield"() : () -> ()
        }, {
        }) {hivm.unlikely_condition} : (i1) -> ()
        %76 = "memref.collapse_shape"(%74) <{reassociation = [[0, 1]]}> : (memref<1x?xf32, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<?xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
        %77 = "memref.collapse_shape"(%75) <{reassociation = [[0, 1]]}> : (memref<1x?xf32, strided<[32, 1]>, #hivm.address_space<ub>>) -> memref<?xf32, strided<[1]>, #hivm.address_space<ub>>
        %78 = "memref.cast"(%76) : (memref<?xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<gm>>
        %79 = "memref.cast"(%77) : (memref<?xf32, strided<[1]>, #hivm.address_space<ub>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>
        "func.call"(%78, %79, %0, %16, %17) <{callee = @load_gm_to_ubuf_1d_float}> : (memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<gm>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, i32, f32, index) -> ()
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
        %80 = "hivm.hir.pointer_cast"(%9) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<16x32xf32, #hivm.address_space<ub>>
        "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
        %81 = "hivm.hir.pointer_cast"(%10) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<0xf32, #hivm.address_space<ub>>
        %82 = "memref.cast"(%60) : (memref<16x32xf32, #hivm.address_space<ub>>) -> memref<?x?xf32, strided<[?, ?], offset: ?>, #hivm.address_space<ub>>
        %83 = "memref.cast"(%72) : (memref<1x32xf32, #hivm.address_space<ub>>) -> memref<?x?xf32, strided<[?, ?], offset: ?>, #hivm.address_space<ub>>
        %84 = "memref.cast"(%80) : (memref<16x32xf32, #hivm.address_space<ub>>) -> memref<?x?xf32, strided<[?, ?], offset: ?>, #hivm.address_space<ub>>
        %85 = "memref.cast"(%81) : (memref<0xf32, #hivm.address_space<ub>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>
        "func.call"(%82, %83, %84, %85) <{callee = @vadd_2d_float}> : (memref<?x?xf32, strided<[?, ?], offset: ?>, #hivm.address_space<ub>>, memref<?x?xf32, strided<[?, ?], offset: ?>, #hivm.address_space<ub>>, memref<?x?xf32, strided<[?, ?], offset: ?>, #hivm.address_space<ub>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>) -> ()
        %86 = "hivm.hir.pointer_cast"(%7) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<16x32xi1, #hivm.address_space<ub>>
        %87 = "memref.collapse_shape"(%80) <{reassociation = [[0, 1]]}> : (memref<16x32xf32, #hivm.address_space<ub>>) -> memref<512xf32, #hivm.address_space<ub>>
        %88 = "memref.collapse_shape"(%86) <{reassociation = [[0, 1]]}> : (memref<16x32xi1, #hivm.address_space<ub>>) -> memref<512xi1, #hivm.address_space<ub>>
        "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
        %89 = "memref.cast"(%87) : (memref<512xf32, #hivm.address_space<ub>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>
        %90 = "memref.cast"(%87) : (memref<512xf32, #hivm.address_space<ub>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>
        %91 = "memref.cast"(%88) : (memref<512xi1, #hivm.address_space<ub>>) -> memref<?xi1, strided<[?], offset: ?>, #hivm.address_space<ub>>
        "func.call"(%89, %90, %91) <{callee = @vcmp_eq_1d_float}> : (memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xi1, strided<[?], offset: ?>, #hivm.address_space<ub>>) -> ()
        %92 = "hivm.hir.pointer_cast"(%7) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<16x32xi1, #hivm.address_space<ub>>
        %93 = "memref.collapse_shape"(%92) <{reassociation = [[0, 1]]}> : (memref<16x32xi1, #hivm.address_space<ub>>) -> memref<512xi1, #hivm.address_space<ub>>
        "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
        %94 = "hivm.hir.pointer_cast"(%10) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<0xi1, #hivm.address_space<ub>>
        %95 = "memref.cast"(%88) : (memref<512xi1, #hivm.address_space<ub>>) -> memref<?xi1, strided<[?], offset: ?>, #hivm.address_space<ub>>
        %96 = "memref.cast"(%93) : (memref<512xi1, #hivm.address_space<ub>>) -> memref<?xi1, strided<[?], offset: ?>, #hivm.address_space<ub>>
        %97 = "memref.cast"(%94) : (memref<0xi1, #hivm.address_space<ub>>) -> memref<?xi1, strided<[?], offset: ?>, #hivm.address_space<ub>>
        "func.call"(%95, %96, %97) <{callee = @vnot_1d_bool}> : (memref<?xi1, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xi1, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xi1, strided<[?], offset: ?>, #hivm.address_space<ub>>) -> ()
        %98 = "hivm.hir.pointer_cast"(%6) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<16x32xf32, #hivm.address_space<ub>>
        %99 = "memref.collapse_shape"(%98) <{reassociation = [[0, 1]]}> : (memref<16x32xf32, #hivm.address_space<ub>>) -> memref<512xf32, #hivm.address_space<ub>>
        %100 = "hivm.hir.pointer_cast"(%10) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<0xf32, #hivm.address_space<ub>>
        %101 = "memref.cast"(%87) : (memref<512xf32, #hivm.address_space<ub>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>
        %102 = "memref.cast"(%99) : (memref<512xf32, #hivm.address_space<ub>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>
        %103 = "memref.cast"(%100) : (memref<0xf32, #hivm.address_space<ub>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>
        "func.call"(%101, %16, %102, %103) <{callee = @vmaxs_vs_1d_float}> : (memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, f32, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>) -> ()
        %104 = "hivm.hir.pointer_cast"(%5) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<16x32xf32, #hivm.address_space<ub>>
        %105 = "memref.collapse_shape"(%104) <{reassociation = [[0, 1]]}> : (memref<16x32xf32, #hivm.address_space<ub>>) -> memref<512xf32, #hivm.address_space<ub>>
        %106 = "hivm.hir.pointer_cast"(%4) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<16xf32, #hivm.address_space<ub>>
        "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
        %107 = "memref.cast"(%93) : (memref<512xi1, #hivm.address_space<ub>>) -> memref<?xi1, strided<[?], offset: ?>, #hivm.address_space<ub>>
        %108 = "memref.cast"(%99) : (memref<512xf32, #hivm.address_space<ub>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>
        %109 = "memref.cast"(%105) : (memref<512xf32, #hivm.address_space<ub>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>
        %110 = "memref.cast"(%106) : (memref<16xf32, #hivm.address_space<ub>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>
        "func.call"(%107, %16, %108, %109, %110) <{callee = @vsel_sv_1d_float}> : (memref<?xi1, strided<[?], offset: ?>, #hivm.address_space<ub>>, f32, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>) -> ()
        %111 = "hivm.hir.pointer_cast"(%3) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<16x32xf32, #hivm.address_space<ub>>
        %112 = "memref.collapse_shape"(%111) <{reassociation = [[0, 1]]}> : (memref<16x32xf32, #hivm.address_space<ub>>) -> memref<512xf32, #hivm.address_space<ub>>
        %113 = "hivm.hir.pointer_cast"(%2) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<8xf32, #hivm.address_space<ub>>
        "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
        "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
        %114 = "memref.cast"(%31) : (memref<512xi1, #hivm.address_space<ub>>) -> memref<?xi1, strided<[?], offset: ?>, #hivm.address_space<ub>>
        %115 = "memref.cast"(%87) : (memref<512xf32, #hivm.address_space<ub>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>
        %116 = "memref.cast"(%105) : (memref<512xf32, #hivm.address_space<ub>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>
        %117 = "memref.cast"(%112) : (memref<512xf32, #hivm.address_space<ub>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>
        %118 = "memref.cast"(%113) : (memref<8xf32, #hivm.address_space<ub>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>
        "func.call"(%114, %115, %116, %117, %118) <{callee = @vsel_vv_1d_bool_float}> : (memref<?xi1, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>) -> ()
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        %119 = "memref.reinterpret_cast"(%arg7, %67) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 32, 32>, static_strides = array<i64: 72, 1>}> : (memref<?xf16, #hivm.address_space<gm>>, index) -> memref<32x32xf16, strided<[72, 1], offset: ?>, #hivm.address_space<gm>>
        %120 = "memref.subview"(%119, %38) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: 16, 32>, static_strides = array<i64: 1, 1>}> {to_be_bubbled_slice} : (memref<32x32xf16, strided<[72, 1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<16x32xf16, strided<[72, 1], offset: ?>, #hivm.address_space<gm>>
        %121 = "hivm.hir.pointer_cast"(%3) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<16x32xf16, #hivm.address_space<ub>>
        %122 = "memref.collapse_shape"(%121) <{reassociation = [[0, 1]]}> : (memref<16x32xf16, #hivm.address_space<ub>>) -> memref<512xf16, #hivm.address_space<ub>>
        "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
        %123 = "memref.cast"(%112) : (memref<512xf32, #hivm.address_space<ub>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>
        %124 = "memref.cast"(%122) : (memref<512xf16, #hivm.address_space<ub>>) -> memref<?xf16, strided<[?], offset: ?>, #hivm.address_space<ub>>
        "func.call"(%123, %124, %1) <{callee = @vcast_float_to_half_1d_with_mode}> : (memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xf16, strided<[?], offset: ?>, #hivm.address_space<ub>>, i32) -> ()
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
        %125 = "affine.min"(%37, %57, %55) <{map = affine_map<()[s0, s1, s2] -> (32, s1 - s2, s0 * 16)>}> : (index, index, index) -> index
        %126 = "affine.min"(%58, %125) <{map = affine_map<()[s0, s1] -> (16, s0 - s1)>}> : (index, index) -> index
        %127 = "memref.subview"(%121, %126, %70) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<16x32xf16, #hivm.address_space<ub>>, index, index) -> memref<?x?xf16, strided<[32, 1]>, #hivm.address_space<ub>>
        %128 = "memref.subview"(%120, %126, %70) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<16x32xf16, strided<[72, 1], offset: ?>, #hivm.address_space<gm>>, index, index) -> memref<?x?xf16, strided<[72, 1], offset: ?>, #hivm.address_space<gm>>
        "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
        %129 = "memref.cast"(%127) : (memref<?x?xf16, strided<[32, 1]>, #hivm.address_space<ub>>) -> memref<?x?xf16, strided<[?, ?], offset: ?>, #hivm.address_space<ub>>
        %130 = "memref.cast"(%128) : (memref<?x?xf16, strided<[72, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<?x?xf16, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>
        "func.call"(%129, %130, %1) <{callee = @store_ubuf_to_gm_2d_half}> : (memref<?x?xf16, strided<[?, ?], offset: ?>, #hivm.address_space<ub>>, memref<?x?xf16, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>, i32) -> ()
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
        "scf.yield"() : () -> ()
      }) {hivm.loop_core_type = #hivm.tcore_type<VECTOR>, multibuffer_unroll_factor = 4 : i32} : (index, index, index) -> ()
      "scf.yield"() : () -> ()
    }) : (i32, i32, i32) -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()
    "func.return"() : () -> ()
  }) {SyncBlockLockArgIdx = 0 : i64, WorkspaceArgIdx = 1 : i64, func_dyn_memref_args = dense<[false, true, true, true, true, true, true, true, false, false, false]> : vector<11xi1>, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.part_of_mix, hivm.storage_aligned, mix_mode = "mix", parallel_mode = "simd"} : () -> ()
}) {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"AI_CORE_COUNT", 20 : i32>, #dlti.dl_entry<"CUBE_CORE_COUNT", 20 : i32>, #dlti.dl_entry<"VECTOR_CORE_COUNT", 40 : i32>, #dlti.dl_entry<"UB_SIZE", 1572864 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 1048576 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>>>, hivm.module_core_type = #hivm.module_core_type<MIX>} : () -> ()
