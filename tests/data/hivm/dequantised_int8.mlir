"builtin.module"() ({
  "func.func"() <{function_type = () -> index, sym_name = "gemm_epilogue_infer_workspace_shape_function"}> ({
    %223 = "arith.constant"() <{value = 16384 : index}> : () -> index
    "func.return"(%223) : (index) -> ()
  }) {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<infer_workspace_shape_function>} : () -> ()
  "func.func"() <{function_type = () -> i8, sym_name = "gemm_epilogue_infer_task_type_function"}> ({
    %222 = "arith.constant"() <{value = 32 : i8}> : () -> i8
    "func.return"(%222) : (i8) -> ()
  }) {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<infer_task_type_function>} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<sync_block_lock>}, {hacc.arg_type = #hacc.arg_type<workspace>}, {tt.tensor_kind = 0 : i32}, {tt.tensor_kind = 0 : i32}, {tt.tensor_kind = 0 : i32}, {tt.tensor_kind = 0 : i32}, {tt.tensor_kind = 1 : i32}, {}, {}, {}], function_type = (i64, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, memref<?xf16, #hivm.address_space<gm>>, i32, i32, i32) -> (), sym_name = "gemm_epilogue_mix_aic"}> ({
  ^bb0(%arg13: i64, %arg14: memref<?xi8, #hivm.address_space<gm>>, %arg15: memref<?xi8, #hivm.address_space<gm>>, %arg16: memref<?xi8, #hivm.address_space<gm>>, %arg17: memref<?xi8, #hivm.address_space<gm>>, %arg18: memref<?xf32, #hivm.address_space<gm>>, %arg19: memref<?xf32, #hivm.address_space<gm>>, %arg20: memref<?xf16, #hivm.address_space<gm>>, %arg21: i32, %arg22: i32, %arg23: i32):
    %107 = "arith.constant"() <{value = false}> : () -> i1
    %108 = "arith.constant"() <{value = 8 : i32}> : () -> i32
    %109 = "arith.constant"() <{value = 1 : index}> : () -> index
    %110 = "arith.constant"() <{value = 0 : index}> : () -> index
    %111 = "arith.constant"() <{value = 0 : i8}> : () -> i8
    %112 = "arith.constant"() <{value = 32 : index}> : () -> index
    %113 = "arith.constant"() <{value = 3 : i32}> : () -> i32
    %114 = "arith.constant"() <{value = 32 : i32}> : () -> i32
    %115 = "arith.constant"() <{value = 6 : i32}> : () -> i32
    %116 = "arith.constant"() <{value = 80 : i32}> : () -> i32
    %117 = "arith.constant"() <{value = 0 : i32}> : () -> i32
    %118 = "arith.constant"() <{value = 1 : i64}> : () -> i64
    %119 = "arith.constant"() <{value = 3 : i64}> : () -> i64
    %120 = "arith.constant"() <{value = 4 : i64}> : () -> i64
    %121 = "arith.constant"() <{value = 2 : i64}> : () -> i64
    %122 = "arith.constant"() <{value = -1 : i64}> : () -> i64
    %123 = "arith.constant"() <{value = 2048 : i64}> : () -> i64
    %124 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %125 = "arith.constant"() <{value = 1024 : i64}> : () -> i64
    %126 = "arith.constant"() <{value = 3072 : i64}> : () -> i64
    %127 = "hivm.hir.pointer_cast"(%125) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1x2x16x32xi8, #hivm.address_space<cbuf>>
    %128 = "hivm.hir.pointer_cast"(%126) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1x2x16x32xi8, #hivm.address_space<cbuf>>
    %129 = "hivm.hir.pointer_cast"(%124) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1x2x16x32xi8, #hivm.address_space<cbuf>>
    %130 = "hivm.hir.pointer_cast"(%123) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1x2x16x32xi8, #hivm.address_space<cbuf>>
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
    %139 = "memref.view"(%arg15, %138) : (memref<?xi8, #hivm.address_space<gm>>, index) -> memref<4x32x32xi32, #hivm.address_space<gm>>
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID2>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID3>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID4>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_FIX>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_M>}> : () -> ()
    "scf.for"(%135, %115, %108) ({
    ^bb0(%arg24: i32):
      %140 = "arith.index_cast"(%arg24) : (i32) -> index
      %141 = "affine.min"(%140) <{map = affine_map<(d0) -> ((-d0 + 6) ceildiv 2, 4)>}> : (index) -> index
      "scf.for"(%110, %141, %109) ({
      ^bb0(%arg25: index):
        %142 = "arith.index_cast"(%arg25) : (index) -> i64
        %143 = "affine.apply"(%arg25, %140) <{map = affine_map<(d0)[s0] -> (d0 * 2 + s0)>}> : (index, index) -> index
        %144 = "arith.index_cast"(%143) : (index) -> i32
        %145 = "arith.divsi"(%144, %113) : (i32, i32) -> i32
        %146 = "arith.muli"(%145, %114) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
        %147 = "arith.remsi"(%144, %113) : (i32, i32) -> i32
        %148 = "arith.muli"(%147, %114) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
        %149 = "arith.index_cast"(%146) : (i32) -> index
        %150 = "affine.max"(%149) <{map = affine_map<()[s0] -> (40, s0)>}> : (index) -> index
        %151 = "affine.min"(%150, %149) <{map = affine_map<()[s0, s1] -> (s1 + 32, s0)>}> : (index, index) -> index
        %152 = "affine.min"(%151, %149) <{map = affine_map<()[s0, s1] -> (32, s0 - s1)>}> : (index, index) -> index
        %153 = "arith.cmpi"(%152, %112) <{predicate = 2 : i64}> : (index, index) -> i1
        %154 = "arith.index_cast"(%148) : (i32) -> index
        %155 = "affine.max"(%154) <{map = affine_map<()[s0] -> (72, s0)>}> : (index) -> index
        %156 = "affine.min"(%155, %154) <{map = affine_map<()[s0, s1] -> (s1 + 32, s0)>}> : (index, index) -> index
        %157 = "affine.min"(%156, %154) <{map = affine_map<()[s0, s1] -> (32, s0 - s1)>}> : (index, index) -> index
        %158 = "arith.cmpi"(%157, %112) <{predicate = 2 : i64}> : (index, index) -> i1
        %159 = "hivm.hir.pointer_cast"(%124) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2x2x16x16xi32, #hivm.address_space<cc>>
        "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_FIX>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_M>}> : () -> ()
        "scf.for"(%117, %116, %114) ({
        ^bb0(%arg26: i32):
          %164 = "arith.index_cast"(%arg26) : (i32) -> index
          %165 = "arith.index_cast"(%arg24) : (i32) -> index
          %166 = "arith.index_cast"(%135) : (i32) -> index
          %167 = "affine.apply"(%164, %arg25, %141, %165, %166) <{map = affine_map<()[s0, s1, s2, s3, s4] -> (s0 floordiv 32 + s1 * 3 + ((s3 - s4) floordiv 8) * (s2 * 3) - ((s1 * 3 + s0 floordiv 32 + ((s3 - s4) floordiv 8) * (s2 * 3)) floordiv 2) * 2)>}> : (index, index, index, index, index) -> index
          %168 = "arith.index_cast"(%167) : (index) -> i64
          %169 = "arith.cmpi"(%168, %118) <{predicate = 0 : i64}> : (i64, i64) -> i1
          %170 = "arith.select"(%169, %128, %127) : (i1, memref<1x2x16x32xi8, #hivm.address_space<cbuf>>, memref<1x2x16x32xi8, #hivm.address_space<cbuf>>) -> memref<1x2x16x32xi8, #hivm.address_space<cbuf>>
          %171 = "arith.index_cast"(%arg26) : (i32) -> index
          %172 = "arith.index_cast"(%arg24) : (i32) -> index
          %173 = "arith.index_cast"(%135) : (i32) -> index
          %174 = "affine.apply"(%171, %arg25, %141, %172, %173) <{map = affine_map<()[s0, s1, s2, s3, s4] -> (s0 floordiv 32 + s1 * 3 + ((s3 - s4) floordiv 8) * (s2 * 3) - ((s1 * 3 + s0 floordiv 32 + ((s3 - s4) floordiv 8) * (s2 * 3)) floordiv 2) * 2)>}> : (index, index, index, index, index) -> index
          %175 = "arith.index_cast"(%174) : (index) -> i64
          %176 = "arith.cmpi"(%175, %118) <{predicate = 0 : i64}> : (i64, i64) -> i1
          %177 = "arith.select"(%176, %130, %129) : (i1, memref<1x2x16x32xi8, #hivm.address_space<cbuf>>, memref<1x2x16x32xi8, #hivm.address_space<cbuf>>) -> memref<1x2x16x32xi8, #hivm.address_space<cbuf>>
          %178 = "arith.index_cast"(%arg26) : (i32) -> index
          %179 = "arith.index_cast"(%arg24) : (i32) -> index
          %180 = "arith.index_cast"(%135) : (i32) -> index
          %181 = "affine.apply"(%178, %arg25, %141, %179, %180) <{map = affine_map<()[s0, s1, s2, s3, s4] -> (s0 floordiv 32 + s1 * 3 + ((s3 - s4) floordiv 8) * (s2 * 3))>}> : (index, index, index, index, index) -> index
          %182 = "arith.index_cast"(%181) : (index) -> i64
          %183 = "arith.index_cast"(%arg26) : (i32) -> index
          %184 = "arith.index_cast"(%arg24) : (i32) -> index
          %185 = "arith.index_cast"(%135) : (i32) -> index
          %186 = "affine.apply"(%183, %arg25, %141, %184, %185) <{map = affine_map<()[s0, s1, s2, s3, s4] -> (s0 floordiv 32 + s1 * 3 + ((s3 - s4) floordiv 8) * (s2 * 3) - ((s1 * 3 + s0 floordiv 32 + ((s3 - s4) floordiv 8) * (s2 * 3)) floordiv 2) * 2)>}> : (index, index, index, index, index) -> index
          %187 = "arith.index_cast"(%186) : (index) -> i1
          %188 = "arith.select"(%187, %119, %120) : (i1, i64, i64) -> i64
          %189 = "arith.index_cast"(%186) : (index) -> i1
          %190 = "arith.select"(%189, %118, %121) : (i1, i64, i64) -> i64
          %191 = "arith.index_cast"(%arg26) : (i32) -> index
          %192 = "affine.apply"(%191, %149) <{map = affine_map<()[s0, s1] -> (s0 + s1 * 80)>}> : (index, index) -> index
          %193 = "memref.reinterpret_cast"(%arg16, %192) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 32, 32>, static_strides = array<i64: 80, 1>}> : (memref<?xi8, #hivm.address_space<gm>>, index) -> memref<32x32xi8, strided<[80, 1], offset: ?>, #hivm.address_space<gm>>
          %194 = "affine.max"(%191) <{map = affine_map<()[s0] -> (80, s0)>}> : (index) -> index
          %195 = "affine.min"(%194, %191) <{map = affine_map<()[s0, s1] -> (s1 + 32, s0)>}> : (index, index) -> index
          %196 = "affine.min"(%195, %191) <{map = affine_map<()[s0, s1] -> (32, s0 - s1)>}> : (index, index) -> index
          %197 = "arith.cmpi"(%196, %112) <{predicate = 2 : i64}> : (index, index) -> i1
          %198 = "arith.ori"(%153, %197) : (i1, i1) -> i1
          %199 = "memref.subview"(%193, %152, %196) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<32x32xi8, strided<[80, 1], offset: ?>, #hivm.address_space<gm>>, index, index) -> memref<?x?xi8, strided<[80, 1], offset: ?>, #hivm.address_space<gm>>
          %200 = "affine.apply"(%152) <{map = affine_map<()[s0] -> ((s0 + 15) floordiv 16)>}> : (index) -> index
          %201 = "affine.apply"(%196) <{map = affine_map<()[s0] -> ((s0 + 31) floordiv 32)>}> : (index) -> index
          %202 = "memref.subview"(%177, %201, %200) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808, 16, 32>, static_strides = array<i64: 1, 1, 1, 1>}> : (memref<1x2x16x32xi8, #hivm.address_space<cbuf>>, index, index) -> memref<?x?x16x32xi8, strided<[1024, 512, 32, 1]>, #hivm.address_space<cbuf>>
          "scf.if"(%198) ({
            "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
            %220 = "memref.collapse_shape"(%177) <{reassociation = [[0, 1, 2, 3]]}> : (memref<1x2x16x32xi8, #hivm.address_space<cbuf>>) -> memref<1024xi8, #hivm.address_space<cbuf>>
            "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
            %221 = "memref.cast"(%220) : (memref<1024xi8, #hivm.address_space<cbuf>>) -> memref<?xi8, strided<[?], offset: ?>, #hivm.address_space<cbuf>>
            "func.call"(%111, %221) <{callee = @set_l1_2d_int8_t}> : (i8, memref<?xi8, strided<[?], offset: ?>, #hivm.address_space<cbuf>>) -> ()
            "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
            "scf.yield"() : () -> ()
          }, {
          }) {hivm.unlikely_condition} : (i1) -> ()
          "hivm.hir.wait_flag"(%190) <{set_pipe = #hivm.pipe<PIPE_MTE1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
          %203 = "memref.cast"(%199) : (memref<?x?xi8, strided<[80, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<?x?xi8, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>
          %204 = "memref.cast"(%202) : (memref<?x?x16x32xi8, strided<[1024, 512, 32, 1]>, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xi8, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>
          "func.call"(%203, %204) <{callee = @nd2nz_int8_t}> : (memref<?x?xi8, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>, memref<?x?x?x?xi8, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>) -> ()
          "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE1>}> : () -> ()
          %205 = "affine.apply"(%154, %191) <{map = affine_map<()[s0, s1] -> (s0 + s1 * 72)>}> : (index, index) -> index
          %206 = "memref.reinterpret_cast"(%arg17, %205) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 32, 32>, static_strides = array<i64: 72, 1>}> : (memref<?xi8, #hivm.address_space<gm>>, index) -> memref<32x32xi8, strided<[72, 1], offset: ?>, #hivm.address_space<gm>>
          %207 = "arith.ori"(%197, %158) : (i1, i1) -> i1
          %208 = "memref.subview"(%206, %196, %157) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<32x32xi8, strided<[72, 1], offset: ?>, #hivm.address_space<gm>>, index, index) -> memref<?x?xi8, strided<[72, 1], offset: ?>, #hivm.address_space<gm>>
          %209 = "affine.apply"(%196) <{map = affine_map<()[s0] -> ((s0 + 15) floordiv 16)>}> : (index) -> index
          %210 = "affine.apply"(%157) <{map = affine_map<()[s0] -> ((s0 + 31) floordiv 32)>}> : (index) -> index
          %211 = "memref.subview"(%170, %210, %209) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808, 16, 32>, static_strides = array<i64: 1, 1, 1, 1>}> : (memref<1x2x16x32xi8, #hivm.address_space<cbuf>>, index, index) -> memref<?x?x16x32xi8, strided<[1024, 512, 32, 1]>, #hivm.address_space<cbuf>>
          "scf.if"(%207) ({
            "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
            %218 = "memref.collapse_shape"(%170) <{reassociation = [[0, 1, 2, 3]]}> : (memref<1x2x16x32xi8, #hivm.address_space<cbuf>>) -> memref<1024xi8, #hivm.address_space<cbuf>>
            "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
            %219 = "memref.cast"(%218) : (memref<1024xi8, #hivm.address_space<cbuf>>) -> memref<?xi8, strided<[?], offset: ?>, #hivm.address_space<cbuf>>
            "func.call"(%111, %219) <{callee = @set_l1_2d_int8_t}> : (i8, memref<?xi8, strided<[?], offset: ?>, #hivm.address_space<cbuf>>) -> ()
            "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
            "scf.yield"() : () -> ()
          }, {
          }) {hivm.unlikely_condition} : (i1) -> ()
          "hivm.hir.wait_flag"(%188) <{set_pipe = #hivm.pipe<PIPE_MTE1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
          %212 = "memref.cast"(%208) : (memref<?x?xi8, strided<[72, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<?x?xi8, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>
          %213 = "memref.cast"(%211) : (memref<?x?x16x32xi8, strided<[1024, 512, 32, 1]>, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xi8, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>
          "func.call"(%212, %213) <{callee = @nd2nz_int8_t}> : (memref<?x?xi8, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>, memref<?x?x?x?xi8, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>) -> ()
          "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE1>}> : () -> ()
          %214 = "arith.cmpi"(%arg26, %117) <{predicate = 0 : i64}> : (i32, i32) -> i1
          %215 = "memref.cast"(%177) : (memref<1x2x16x32xi8, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xi8, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>
          %216 = "memref.cast"(%170) : (memref<1x2x16x32xi8, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xi8, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>
          %217 = "memref.cast"(%159) : (memref<2x2x16x16xi32, #hivm.address_space<cc>>) -> memref<?x?x?x?xi32, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cc>>
          "func.call"(%215, %216, %214, %152, %196, %157, %217, %124, %118, %190, %188, %182, %122, %122, %111) <{callee = @mma_tile_int8_t_to_int32_t}> : (memref<?x?x?x?xi8, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>, memref<?x?x?x?xi8, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>, i1, index, index, index, memref<?x?x?x?xi32, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cc>>, i64, i64, i64, i64, i64, i64, i64, i8) -> ()
          "scf.yield"() : () -> ()
        }) {fixpipe_for_mmad_result_already_inserted = true, pipeline.cubeonly} : (i32, i32, i32) -> ()
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
        %160 = "memref.subview"(%139, %arg25) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0, 0>, static_sizes = array<i64: 1, 32, 32>, static_strides = array<i64: 1, 1, 1>}> : (memref<4x32x32xi32, #hivm.address_space<gm>>, index) -> memref<1x32x32xi32, strided<[1024, 32, 1], offset: ?>, #hivm.address_space<gm>>
        %161 = "memref.collapse_shape"(%160) <{reassociation = [[0, 1], [2]]}> : (memref<1x32x32xi32, strided<[1024, 32, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<32x32xi32, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>
        "hivm.hir.sync_block_wait"(%142) <{pipe = #hivm.pipe<PIPE_S>, tcore_type = #hivm.tcore_type<CUBE>, tpipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
        "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
        %162 = "memref.cast"(%159) : (memref<2x2x16x16xi32, #hivm.address_space<cc>>) -> memref<?x?x?x?xi32, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cc>>
        %163 = "memref.cast"(%161) : (memref<32x32xi32, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<?x?xi32, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>
        "func.call"(%162, %163, %124, %124, %107, %111) <{callee = @fixpipe_nz2nd_int32_t_to_int32_t_4d_to_2d}> : (memref<?x?x?x?xi32, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cc>>, memref<?x?xi32, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>, i64, i64, i1, i8) -> ()
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
  "func.func"() <{function_type = (i8, memref<?xi8, strided<[?], offset: ?>, #hivm.address_space<cbuf>>) -> (), sym_name = "set_l1_2d_int8_t", sym_visibility = "private"}> ({
  }) {hacc.always_inline, hivm.func_core_type = #hivm.func_core_type<AIC>, llvm.emit_c_interface} : () -> ()
  "func.func"() <{function_type = (memref<?x?xi8, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>, memref<?x?x?x?xi8, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>) -> (), sym_name = "nd2nz_int8_t", sym_visibility = "private"}> ({
  }) {hacc.always_inline, hivm.func_core_type = #hivm.func_core_type<AIC>, llvm.emit_c_interface} : () -> ()
  "func.func"() <{function_type = (memref<?x?x?x?xi8, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>, memref<?x?x?x?xi8, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>, i1, index, index, index, memref<?x?x?x?xi32, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cc>>, i64, i64, i64, i64, i64, i64, i64, i8) -> (), sym_name = "mma_tile_int8_t_to_int32_t", sym_visibility = "private"}> ({
  }) {hacc.always_inline, hivm.func_core_type = #hivm.func_core_type<AIC>, llvm.emit_c_interface} : () -> ()
  "func.func"() <{function_type = (memref<?x?x?x?xi32, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cc>>, memref<?x?xi32, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>, i64, i64, i1, i8) -> (), sym_name = "fixpipe_nz2nd_int32_t_to_int32_t_4d_to_2d", sym_visibility = "private"}> ({
  }) {hacc.always_inline, hivm.func_core_type = #hivm.func_core_type<AIC>, llvm.emit_c_interface} : () -> ()
  "func.func"() <{function_type = (memref<?xi32, strided<[?], offset: ?>, #hivm.address_space<gm>>, memref<?xi32, strided<[?], offset: ?>, #hivm.address_space<ub>>, i32, i32, index) -> (), sym_name = "load_gm_to_ubuf_1d_int32_t", sym_visibility = "private"}> ({
  }) {hacc.always_inline, hivm.func_core_type = #hivm.func_core_type<AIV>, llvm.emit_c_interface} : () -> ()
  "func.func"() <{function_type = (memref<?xi32, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, i32) -> (), sym_name = "vcast_int32_t_to_float_1d_with_mode", sym_visibility = "private"}> ({
  }) {hacc.always_inline, hivm.func_core_type = #hivm.func_core_type<AIV>, llvm.emit_c_interface} : () -> ()
  "func.func"() <{function_type = (f32, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>) -> (), sym_name = "broadcast_scalar_float_to_1d", sym_visibility = "private"}> ({
  }) {hacc.always_inline, hivm.func_core_type = #hivm.func_core_type<AIV>, llvm.emit_c_interface} : () -> ()
  "func.func"() <{function_type = (memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<gm>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, i32, f32, index) -> (), sym_name = "load_gm_to_ubuf_1d_float", sym_visibility = "private"}> ({
  }) {hacc.always_inline, hivm.func_core_type = #hivm.func_core_type<AIV>, llvm.emit_c_interface} : () -> ()
  "func.func"() <{function_type = (memref<?x?xf32, strided<[?, ?], offset: ?>, #hivm.address_space<ub>>, memref<?x?xf32, strided<[?, ?], offset: ?>, #hivm.address_space<ub>>, memref<?x?xf32, strided<[?, ?], offset: ?>, #hivm.address_space<ub>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>) -> (), sym_name = "vmul_2d_float", sym_visibility = "private"}> ({
  }) {hacc.always_inline, hivm.func_core_type = #hivm.func_core_type<AIV>, llvm.emit_c_interface} : () -> ()
  "func.func"() <{function_type = (memref<?x?xf32, strided<[?, ?], offset: ?>, #hivm.address_space<ub>>, memref<?x?xf32, strided<[?, ?], offset: ?>, #hivm.address_space<ub>>, memref<?x?xf32, strided<[?, ?], offset: ?>, #hivm.address_space<ub>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>) -> (), sym_name = "vadd_2d_float", sym_visibility = "private"}> ({
  }) {hacc.always_inline, hivm.func_core_type = #hivm.func_core_type<AIV>, llvm.emit_c_interface} : () -> ()
  "func.func"() <{function_type = (memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xf16, strided<[?], offset: ?>, #hivm.address_space<ub>>, i32) -> (), sym_name = "vcast_float_to_half_1d_with_mode", sym_visibility = "private"}> ({
  }) {hacc.always_inline, hivm.func_core_type = #hivm.func_core_type<AIV>, llvm.emit_c_interface} : () -> ()
  "func.func"() <{function_type = (memref<?x?xf16, strided<[?, ?], offset: ?>, #hivm.address_space<ub>>, memref<?x?xf16, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>, i32) -> (), sym_name = "store_ubuf_to_gm_2d_half", sym_visibility = "private"}> ({
  }) {hacc.always_inline, hivm.func_core_type = #hivm.func_core_type<AIV>, llvm.emit_c_interface} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<sync_block_lock>}, {hacc.arg_type = #hacc.arg_type<workspace>}, {tt.tensor_kind = 0 : i32}, {tt.tensor_kind = 0 : i32}, {tt.tensor_kind = 0 : i32}, {tt.tensor_kind = 0 : i32}, {tt.tensor_kind = 1 : i32}, {}, {}, {}], function_type = (i64, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, memref<?xf16, #hivm.address_space<gm>>, i32, i32, i32) -> (), sym_name = "gemm_epilogue_mix_aiv"}> ({
  ^bb0(%arg0: i64, %arg1: memref<?xi8, #hivm.address_space<gm>>, %arg2: memref<?xi8, #hivm.address_space<gm>>, %arg3: memref<?xi8, #hivm.address_space<gm>>, %arg4: memref<?xi8, #hivm.address_space<gm>>, %arg5: memref<?xf32, #hivm.address_space<gm>>, %arg6: memref<?xf32, #hivm.address_space<gm>>, %arg7: memref<?xf16, #hivm.address_space<gm>>, %arg8: i32, %arg9: i32, %arg10: i32):
    %0 = "arith.constant"() <{value = 2 : i32}> : () -> i32
    %1 = "arith.constant"() <{value = 0 : i32}> : () -> i32
    %2 = "arith.constant"() <{value = 2624 : i64}> : () -> i64
    %3 = "arith.constant"() <{value = 2112 : i64}> : () -> i64
    %4 = "arith.constant"() <{value = 2048 : i64}> : () -> i64
    %5 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %6 = "arith.constant"() <{value = 8 : i32}> : () -> i32
    %7 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %8 = "arith.constant"() <{value = 32 : index}> : () -> index
    %9 = "arith.constant"() <{value = 3 : i32}> : () -> i32
    %10 = "arith.constant"() <{value = 32 : i32}> : () -> i32
    %11 = "arith.constant"() <{value = 6 : i32}> : () -> i32
    %12 = "arith.constant"() <{value = 0 : index}> : () -> index
    %13 = "arith.constant"() <{value = 1 : index}> : () -> index
    %14 = "hivm.hir.get_block_idx"() : () -> i64
    %15 = "arith.trunci"(%14) : (i64) -> i32
    %16 = "arith.muli"(%arg10, %arg9) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %17 = "hivm.hir.get_sub_block_idx"() : () -> i64
    %18 = "arith.index_cast"(%17) : (i64) -> index
    %19 = "affine.apply"(%18) <{map = affine_map<()[s0] -> (s0 * 16)>}> : (index) -> index
    "hivm.hir.set_ffts_base_addr"(%arg0) : (i64) -> ()
    "hivm.hir.set_mask_norm"() : () -> ()
    %20 = "arith.divsi"(%15, %16) : (i32, i32) -> i32
    %21 = "arith.remsi"(%20, %arg8) : (i32, i32) -> i32
    %22 = "hivm.hir.get_block_idx"() : () -> i64
    %23 = "arith.index_cast"(%22) : (i64) -> index
    %24 = "affine.apply"(%23) <{map = affine_map<()[s0] -> (s0 * 16384)>}> : (index) -> index
    %25 = "memref.view"(%arg2, %24) : (memref<?xi8, #hivm.address_space<gm>>, index) -> memref<4x32x32xi32, #hivm.address_space<gm>>
    "hivm.hir.sync_block_set"(%arg0) <{operandSegmentSizes = array<i32: 0, 1>, pipe = #hivm.pipe<PIPE_S>, static_flag_id = 0 : i64, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
    "hivm.hir.sync_block_set"(%arg0) <{operandSegmentSizes = array<i32: 0, 1>, pipe = #hivm.pipe<PIPE_S>, static_flag_id = 1 : i64, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
    "hivm.hir.sync_block_set"(%arg0) <{operandSegmentSizes = array<i32: 0, 1>, pipe = #hivm.pipe<PIPE_S>, static_flag_id = 2 : i64, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
    "hivm.hir.sync_block_set"(%arg0) <{operandSegmentSizes = array<i32: 0, 1>, pipe = #hivm.pipe<PIPE_S>, static_flag_id = 3 : i64, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "scf.for"(%21, %11, %6) ({
    ^bb0(%arg11: i32):
      %26 = "arith.index_cast"(%arg11) : (i32) -> index
      %27 = "affine.min"(%26) <{map = affine_map<(d0) -> ((-d0 + 6) ceildiv 2, 4)>}> : (index) -> index
      %28 = "memref.subview"(%25, %19) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: 0, -9223372036854775808, 0>, static_sizes = array<i64: 4, 16, 32>, static_strides = array<i64: 1, 1, 1>}> {to_be_bubbled_slice} : (memref<4x32x32xi32, #hivm.address_space<gm>>, index) -> memref<4x16x32xi32, strided<[1024, 32, 1], offset: ?>, #hivm.address_space<gm>>
      "scf.for"(%12, %27, %13) ({
      ^bb0(%arg12: index):
        %29 = "arith.index_cast"(%arg12) : (index) -> i64
        %30 = "affine.apply"(%arg12, %26) <{map = affine_map<(d0)[s0] -> (d0 * 2 + s0)>}> : (index, index) -> index
        %31 = "arith.index_cast"(%30) : (index) -> i32
        %32 = "arith.divsi"(%31, %9) : (i32, i32) -> i32
        %33 = "arith.muli"(%32, %10) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
        %34 = "arith.remsi"(%31, %9) : (i32, i32) -> i32
        %35 = "arith.muli"(%34, %10) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
        %36 = "arith.index_cast"(%33) : (i32) -> index
        %37 = "affine.max"(%36) <{map = affine_map<()[s0] -> (40, s0)>}> : (index) -> index
        %38 = "affine.min"(%37, %36) <{map = affine_map<()[s0, s1] -> (s1 + 32, s0)>}> : (index, index) -> index
        %39 = "affine.min"(%38, %36) <{map = affine_map<()[s0, s1] -> (32, s0 - s1)>}> : (index, index) -> index
        %40 = "affine.apply"(%38, %36) <{map = affine_map<()[s0, s1] -> (s0 - s1)>}> : (index, index) -> index
        "hivm.hir.sync_block_wait"() <{pipe = #hivm.pipe<PIPE_S>, static_flag_id = 4 : i64, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
        %41 = "memref.subview"(%28, %arg12) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0, 0>, static_sizes = array<i64: 1, 16, 32>, static_strides = array<i64: 1, 1, 1>}> : (memref<4x16x32xi32, strided<[1024, 32, 1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<16x32xi32, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>
        %42 = "hivm.hir.pointer_cast"(%5) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<16x32xi32, #hivm.address_space<ub>>
        %43 = "memref.collapse_shape"(%41) <{reassociation = [[0, 1]]}> : (memref<16x32xi32, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<512xi32, strided<[1], offset: ?>, #hivm.address_space<gm>>
        %44 = "memref.collapse_shape"(%42) <{reassociation = [[0, 1]]}> : (memref<16x32xi32, #hivm.address_space<ub>>) -> memref<512xi32, #hivm.address_space<ub>>
        "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        %45 = "memref.cast"(%43) : (memref<512xi32, strided<[1], offset: ?>, #hivm.address_space<gm>>) -> memref<?xi32, strided<[?], offset: ?>, #hivm.address_space<gm>>
        %46 = "memref.cast"(%44) : (memref<512xi32, #hivm.address_space<ub>>) -> memref<?xi32, strided<[?], offset: ?>, #hivm.address_space<ub>>
        "func.call"(%45, %46, %1, %1, %12) <{callee = @load_gm_to_ubuf_1d_int32_t}> : (memref<?xi32, strided<[?], offset: ?>, #hivm.address_space<gm>>, memref<?xi32, strided<[?], offset: ?>, #hivm.address_space<ub>>, i32, i32, index) -> ()
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
        "hivm.hir.sync_block_set"(%29, %arg0) <{operandSegmentSizes = array<i32: 1, 1>, pipe = #hivm.pipe<PIPE_S>, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_MTE2>}> : (i64, i64) -> ()
        %47 = "hivm.hir.pointer_cast"(%5) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<16x32xf32, #hivm.address_space<ub>>
        %48 = "memref.collapse_shape"(%47) <{reassociation = [[0, 1]]}> : (memref<16x32xf32, #hivm.address_space<ub>>) -> memref<512xf32, #hivm.address_space<ub>>
        "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
        %49 = "memref.cast"(%44) : (memref<512xi32, #hivm.address_space<ub>>) -> memref<?xi32, strided<[?], offset: ?>, #hivm.address_space<ub>>
        %50 = "memref.cast"(%48) : (memref<512xf32, #hivm.address_space<ub>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>
        "func.call"(%49, %50, %1) <{callee = @vcast_int32_t_to_float_1d_with_mode}> : (memref<?xi32, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, i32) -> ()
        %51 = "memref.reinterpret_cast"(%arg6, %36) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 32, 1>, static_strides = array<i64: 1, 1>}> : (memref<?xf32, #hivm.address_space<gm>>, index) -> memref<32x1xf32, strided<[1, 1], offset: ?>, #hivm.address_space<gm>>
        %52 = "hivm.hir.pointer_cast"(%4) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<16x1xf32, #hivm.address_space<ub>>
        %53 = "arith.cmpi"(%40, %8) <{predicate = 2 : i64}> : (index, index) -> i1
        %54 = "affine.min"(%18, %38, %36) <{map = affine_map<()[s0, s1, s2] -> (s1 - s2, s0 * 16)>}> : (index, index, index) -> index
        %55 = "affine.min"(%54, %38, %36) <{map = affine_map<()[s0, s1, s2] -> (-s0 + s1 - s2, 16)>}> : (index, index, index) -> index
        %56 = "memref.subview"(%51, %19) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: 16, 1>, static_strides = array<i64: 1, 1>}> : (memref<32x1xf32, strided<[1, 1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<16x1xf32, strided<[1, 1], offset: ?>, #hivm.address_space<gm>>
        %57 = "memref.subview"(%56, %55) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 1>, static_strides = array<i64: 1, 1>}> : (memref<16x1xf32, strided<[1, 1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<?x1xf32, strided<[1, 1], offset: ?>, #hivm.address_space<gm>>
        %58 = "memref.subview"(%52, %55) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, 1>, static_strides = array<i64: 1, 1>}> : (memref<16x1xf32, #hivm.address_space<ub>>, index) -> memref<?x1xf32, strided<[1, 1]>, #hivm.address_space<ub>>
        "scf.if"(%53) ({
          %105 = "memref.collapse_shape"(%52) <{reassociation = [[0, 1]]}> : (memref<16x1xf32, #hivm.address_space<ub>>) -> memref<16xf32, #hivm.address_space<ub>>
          %106 = "memref.cast"(%105) : (memref<16xf32, #hivm.address_space<ub>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>
          "func.call"(%7, %106) <{callee = @broadcast_scalar_float_to_1d}> : (f32, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>) -> ()
          "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
          "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
          "scf.yield"() : () -> ()
        }, {
        }) {hivm.unlikely_condition} : (i1) -> ()
        %59 = "memref.collapse_shape"(%57) <{reassociation = [[0, 1]]}> : (memref<?x1xf32, strided<[1, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<?xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
        %60 = "memref.collapse_shape"(%58) <{reassociation = [[0, 1]]}> : (memref<?x1xf32, strided<[1, 1]>, #hivm.address_space<ub>>) -> memref<?xf32, strided<[1]>, #hivm.address_space<ub>>
        %61 = "memref.cast"(%59) : (memref<?xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<gm>>
        %62 = "memref.cast"(%60) : (memref<?xf32, strided<[1]>, #hivm.address_space<ub>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>
        "func.call"(%61, %62, %0, %7, %12) <{callee = @load_gm_to_ubuf_1d_float}> : (memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<gm>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, i32, f32, index) -> ()
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
        %63 = "hivm.hir.pointer_cast"(%5) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<16x32xf32, #hivm.address_space<ub>>
        %64 = "hivm.hir.pointer_cast"(%3) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<128xf32, #hivm.address_space<ub>>
        "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
        "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
        %65 = "memref.cast"(%47) : (memref<16x32xf32, #hivm.address_space<ub>>) -> memref<?x?xf32, strided<[?, ?], offset: ?>, #hivm.address_space<ub>>
        %66 = "memref.cast"(%52) : (memref<16x1xf32, #hivm.address_space<ub>>) -> memref<?x?xf32, strided<[?, ?], offset: ?>, #hivm.address_space<ub>>
        %67 = "memref.cast"(%63) : (memref<16x32xf32, #hivm.address_space<ub>>) -> memref<?x?xf32, strided<[?, ?], offset: ?>, #hivm.address_space<ub>>
        %68 = "memref.cast"(%64) : (memref<128xf32, #hivm.address_space<ub>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>
        "func.call"(%65, %66, %67, %68) <{callee = @vmul_2d_float}> : (memref<?x?xf32, strided<[?, ?], offset: ?>, #hivm.address_space<ub>>, memref<?x?xf32, strided<[?, ?], offset: ?>, #hivm.address_space<ub>>, memref<?x?xf32, strided<[?, ?], offset: ?>, #hivm.address_space<ub>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>) -> ()
        %69 = "arith.index_cast"(%35) : (i32) -> index
        %70 = "memref.reinterpret_cast"(%arg5, %69) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 1, 32>, static_strides = array<i64: 32, 1>}> : (memref<?xf32, #hivm.address_space<gm>>, index) -> memref<1x32xf32, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>
        %71 = "affine.apply"(%69, %36) <{map = affine_map<()[s0, s1] -> (s0 + s1 * 72)>}> : (index, index) -> index
        %72 = "affine.max"(%69) <{map = affine_map<()[s0] -> (72, s0)>}> : (index) -> index
        %73 = "affine.min"(%72, %69) <{map = affine_map<()[s0, s1] -> (s1 + 32, s0)>}> : (index, index) -> index
        %74 = "affine.min"(%73, %69) <{map = affine_map<()[s0, s1] -> (32, s0 - s1)>}> : (index, index) -> index
        %75 = "affine.apply"(%73, %69) <{map = affine_map<()[s0, s1] -> (s0 - s1)>}> : (index, index) -> index
        %76 = "hivm.hir.pointer_cast"(%2) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<1x32xf32, #hivm.address_space<ub>>
        %77 = "arith.cmpi"(%75, %8) <{predicate = 2 : i64}> : (index, index) -> i1
        %78 = "memref.subview"(%70, %75) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 1, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<1x32xf32, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<1x?xf32, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>
        %79 = "memref.subview"(%76, %75) <{operandSegmentSizes = array<i32: 1, 0, 1, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: 1, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<1x32xf32, #hivm.address_space<ub>>, index) -> memref<1x?xf32, strided<[32, 1]>, #hivm.address_space<ub>>
        "scf.if"(%77) ({
          %103 = "memref.collapse_shape"(%76) <{reassociation = [[0, 1]]}> : (memref<1x32xf32, #hivm.address_space<ub>>) -> memref<32xf32, #hivm.address_space<ub>>
          %104 = "memref.cast"(%103) : (memref<32xf32, #hivm.address_space<ub>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>
          "func.call"(%7, %104) <{callee = @broadcast_scalar_float_to_1d}> : (f32, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>) -> ()
          "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
          "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
          "scf.yield"() : () -> ()
        }, {
        }) {hivm.unlikely_condition} : (i1) -> ()
        %80 = "memref.collapse_shape"(%78) <{reassociation = [[0, 1]]}> : (memref<1x?xf32, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<?xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
        %81 = "memref.collapse_shape"(%79) <{reassociation = [[0, 1]]}> : (memref<1x?xf32, strided<[32, 1]>, #hivm.address_space<ub>>) -> memref<?xf32, strided<[1]>, #hivm.address_space<ub>>
        %82 = "memref.cast"(%80) : (memref<?xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<gm>>
        %83 = "memref.cast"(%81) : (memref<?xf32, strided<[1]>, #hivm.address_space<ub>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>
        "func.call"(%82, %83, %0, %7, %12) <{callee = @load_gm_to_ubuf_1d_float}> : (memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<gm>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, i32, f32, index) -> ()
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
        %84 = "hivm.hir.pointer_cast"(%5) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<16x32xf32, #hivm.address_space<ub>>
        "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
        "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
        %85 = "hivm.hir.pointer_cast"(%5) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<0xf32, #hivm.address_space<ub>>
        %86 = "memref.cast"(%63) : (memref<16x32xf32, #hivm.address_space<ub>>) -> memref<?x?xf32, strided<[?, ?], offset: ?>, #hivm.address_space<ub>>
        %87 = "memref.cast"(%76) : (memref<1x32xf32, #hivm.address_space<ub>>) -> memref<?x?xf32, strided<[?, ?], offset: ?>, #hivm.address_space<ub>>
        %88 = "memref.cast"(%84) : (memref<16x32xf32, #hivm.address_space<ub>>) -> memref<?x?xf32, strided<[?, ?], offset: ?>, #hivm.address_space<ub>>
        %89 = "memref.cast"(%85) : (memref<0xf32, #hivm.address_space<ub>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>
        "func.call"(%86, %87, %88, %89) <{callee = @vadd_2d_float}> : (memref<?x?xf32, strided<[?, ?], offset: ?>, #hivm.address_space<ub>>, memref<?x?xf32, strided<[?, ?], offset: ?>, #hivm.address_space<ub>>, memref<?x?xf32, strided<[?, ?], offset: ?>, #hivm.address_space<ub>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>) -> ()
        %90 = "memref.reinterpret_cast"(%arg7, %71) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 32, 32>, static_strides = array<i64: 72, 1>}> : (memref<?xf16, #hivm.address_space<gm>>, index) -> memref<32x32xf16, strided<[72, 1], offset: ?>, #hivm.address_space<gm>>
        %91 = "memref.subview"(%90, %19) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: 16, 32>, static_strides = array<i64: 1, 1>}> {to_be_bubbled_slice} : (memref<32x32xf16, strided<[72, 1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<16x32xf16, strided<[72, 1], offset: ?>, #hivm.address_space<gm>>
        %92 = "hivm.hir.pointer_cast"(%5) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<16x32xf16, #hivm.address_space<ub>>
        %93 = "memref.collapse_shape"(%84) <{reassociation = [[0, 1]]}> : (memref<16x32xf32, #hivm.address_space<ub>>) -> memref<512xf32, #hivm.address_space<ub>>
        %94 = "memref.collapse_shape"(%92) <{reassociation = [[0, 1]]}> : (memref<16x32xf16, #hivm.address_space<ub>>) -> memref<512xf16, #hivm.address_space<ub>>
        "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
        %95 = "memref.cast"(%93) : (memref<512xf32, #hivm.address_space<ub>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>
        %96 = "memref.cast"(%94) : (memref<512xf16, #hivm.address_space<ub>>) -> memref<?xf16, strided<[?], offset: ?>, #hivm.address_space<ub>>
        "func.call"(%95, %96, %1) <{callee = @vcast_float_to_half_1d_with_mode}> : (memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xf16, strided<[?], offset: ?>, #hivm.address_space<ub>>, i32) -> ()
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
        %97 = "affine.min"(%18, %38, %36) <{map = affine_map<()[s0, s1, s2] -> (32, s1 - s2, s0 * 16)>}> : (index, index, index) -> index
        %98 = "affine.min"(%39, %97) <{map = affine_map<()[s0, s1] -> (16, s0 - s1)>}> : (index, index) -> index
        %99 = "memref.subview"(%92, %98, %74) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<16x32xf16, #hivm.address_space<ub>>, index, index) -> memref<?x?xf16, strided<[32, 1]>, #hivm.address_space<ub>>
        %100 = "memref.subview"(%91, %98, %74) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<16x32xf16, strided<[72, 1], offset: ?>, #hivm.address_space<gm>>, index, index) -> memref<?x?xf16, strided<[72, 1], offset: ?>, #hivm.address_space<gm>>
        "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
        %101 = "memref.cast"(%99) : (memref<?x?xf16, strided<[32, 1]>, #hivm.address_space<ub>>) -> memref<?x?xf16, strided<[?, ?], offset: ?>, #hivm.address_space<ub>>
        %102 = "memref.cast"(%100) : (memref<?x?xf16, strided<[72, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<?x?xf16, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>
        "func.call"(%101, %102, %1) <{callee = @store_ubuf_to_gm_2d_half}> : (memref<?x?xf16, strided<[?, ?], offset: ?>, #hivm.address_space<ub>>, memref<?x?xf16, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>, i32) -> ()
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        "scf.yield"() : () -> ()
      }) {hivm.loop_core_type = #hivm.tcore_type<VECTOR>, multibuffer_unroll_factor = 4 : i32} : (index, index, index) -> ()
      "scf.yield"() : () -> ()
    }) : (i32, i32, i32) -> ()
    "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_ALL>}> : () -> ()
    "func.return"() : () -> ()
  }) {SyncBlockLockArgIdx = 0 : i64, WorkspaceArgIdx = 1 : i64, func_dyn_memref_args = dense<[false, true, true, true, true, true, true, true, false, false, false]> : vector<11xi1>, hacc.entry, hacc.function_kind = #hacc.function_kind<DEVICE>, hivm.func_core_type = #hivm.func_core_type<AIV>, hivm.part_of_mix, hivm.storage_aligned, mix_mode = "mix", parallel_mode = "simd"} : () -> ()
}) {dlti.target_system_spec = #dlti.target_system_spec<"NPU" : #hacc.target_device_spec<#dlti.dl_entry<"AI_CORE_COUNT", 20 : i32>, #dlti.dl_entry<"CUBE_CORE_COUNT", 20 : i32>, #dlti.dl_entry<"VECTOR_CORE_COUNT", 40 : i32>, #dlti.dl_entry<"UB_SIZE", 1572864 : i32>, #dlti.dl_entry<"L1_SIZE", 4194304 : i32>, #dlti.dl_entry<"L0A_SIZE", 524288 : i32>, #dlti.dl_entry<"L0B_SIZE", 524288 : i32>, #dlti.dl_entry<"L0C_SIZE", 1048576 : i32>, #dlti.dl_entry<"UB_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L1_ALIGN_SIZE", 256 : i32>, #dlti.dl_entry<"L0C_ALIGN_SIZE", 4096 : i32>>>, hivm.module_core_type = #hivm.module_core_type<MIX>} : () -> ()
