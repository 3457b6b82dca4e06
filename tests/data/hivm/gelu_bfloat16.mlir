"builtin.module"() ({
  "func.func"() <{function_type = () -> index, sym_name = "gemm_epilogue_infer_workspace_shape_function"}> ({
    %209 = "arith.constant"() <{value = 16384 : index}> : () -> index
    "func.return"(%209) : (index) -> ()
  }) {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<infer_workspace_shape_function>} : () -> ()
  "func.func"() <{function_type = () -> i8, sym_name = "gemm_epilogue_infer_task_type_function"}> ({
    %208 = "arith.constant"() <{value = 32 : i8}> : () -> i8
    "func.return"(%208) : (i8) -> ()
  }) {hacc.function_kind = #hacc.function_kind<HOST>, hacc.host_func_type = #hacc.host_func_type<infer_task_type_function>} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<sync_block_lock>}, {hacc.arg_type = #hacc.arg_type<workspace>}, {tt.tensor_kind = 0 : i32}, {tt.tensor_kind = 0 : i32}, {}, {}, {tt.tensor_kind = 1 : i32}, {}, {}, {}], function_type = (i64, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xbf16, #hivm.address_space<gm>>, memref<?xbf16, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, memref<?xbf16, #hivm.address_space<gm>>, i32, i32, i32) -> (), sym_name = "gemm_epilogue_mix_aic"}> ({
  ^bb0(%arg13: i64, %arg14: memref<?xi8, #hivm.address_space<gm>>, %arg15: memref<?xi8, #hivm.address_space<gm>>, %arg16: memref<?xbf16, #hivm.address_space<gm>>, %arg17: memref<?xbf16, #hivm.address_space<gm>>, %arg18: memref<?xf32, #hivm.address_space<gm>>, %arg19: memref<?xf32, #hivm.address_space<gm>>, %arg20: memref<?xbf16, #hivm.address_space<gm>>, %arg21: i32, %arg22: i32, %arg23: i32):
    %99 = "arith.constant"() <{value = false}> : () -> i1
    %100 = "arith.constant"() <{value = 0 : i8}> : () -> i8
    %101 = "arith.constant"() <{value = 8 : i32}> : () -> i32
    %102 = "arith.constant"() <{value = 1 : index}> : () -> index
    %103 = "arith.constant"() <{value = 0 : index}> : () -> index
    %104 = "arith.constant"() <{value = 0.000000e+00 : bf16}> : () -> bf16
    %105 = "arith.constant"() <{value = 32 : index}> : () -> index
    %106 = "arith.constant"() <{value = 3 : i32}> : () -> i32
    %107 = "arith.constant"() <{value = 32 : i32}> : () -> i32
    %108 = "arith.constant"() <{value = 6 : i32}> : () -> i32
    %109 = "arith.constant"() <{value = 0 : i32}> : () -> i32
    %110 = "arith.constant"() <{value = 48 : i32}> : () -> i32
    %111 = "arith.constant"() <{value = 1 : i64}> : () -> i64
    %112 = "arith.constant"() <{value = 3 : i64}> : () -> i64
    %113 = "arith.constant"() <{value = 4 : i64}> : () -> i64
    %114 = "arith.constant"() <{value = 2 : i64}> : () -> i64
    %115 = "arith.constant"() <{value = -1 : i64}> : () -> i64
    %116 = "arith.constant"() <{value = 4096 : i64}> : () -> i64
    %117 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %118 = "arith.constant"() <{value = 2048 : i64}> : () -> i64
    %119 = "arith.constant"() <{value = 6144 : i64}> : () -> i64
    %120 = "hivm.hir.pointer_cast"(%118) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2x2x16x16xbf16, #hivm.address_space<cbuf>>
    %121 = "hivm.hir.pointer_cast"(%119) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2x2x16x16xbf16, #hivm.address_space<cbuf>>
    %122 = "hivm.hir.pointer_cast"(%117) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2x2x16x16xbf16, #hivm.address_space<cbuf>>
    %123 = "hivm.hir.pointer_cast"(%116) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2x2x16x16xbf16, #hivm.address_space<cbuf>>
    "hivm.hir.set_ffts_base_addr"(%arg13) : (i64) -> ()
    "hivm.hir.set_mask_norm"() : () -> ()
    %124 = "hivm.hir.get_block_idx"() : () -> i64
    %125 = "arith.trunci"(%124) : (i64) -> i32
    %126 = "arith.muli"(%arg23, %arg22) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %127 = "arith.divsi"(%125, %126) : (i32, i32) -> i32
    %128 = "arith.remsi"(%127, %arg21) : (i32, i32) -> i32
    %129 = "hivm.hir.get_block_idx"() : () -> i64
    %130 = "arith.index_cast"(%129) : (i64) -> index
    %131 = "affine.apply"(%130) <{map = affine_map<()[s0] -> (s0 * 16384)>}> : (index) -> index
    %132 = "memref.view"(%arg15, %131) : (memref<?xi8, #hivm.address_space<gm>>, index) -> memref<4x32x32xf32, #hivm.address_space<gm>>
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID2>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID3>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID4>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_FIX>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_M>}> : () -> ()
    "scf.for"(%128, %108, %101) ({
    ^bb0(%arg24: i32):
      %133 = "arith.index_cast"(%arg24) : (i32) -> index
      %134 = "affine.min"(%133) <{map = affine_map<(d0) -> ((-d0 + 6) ceildiv 2, 4)>}> : (index) -> index
      "scf.for"(%103, %134, %102) ({
      ^bb0(%arg25: index):
        %135 = "arith.index_cast"(%arg25) : (index) -> i64
        %136 = "affine.apply"(%arg25, %133) <{map = affine_map<(d0)[s0] -> (d0 * 2 + s0)>}> : (index, index) -> index
        %137 = "arith.index_cast"(%136) : (index) -> i32
        %138 = "arith.divsi"(%137, %106) : (i32, i32) -> i32
        %139 = "arith.muli"(%138, %107) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
        %140 = "arith.remsi"(%137, %106) : (i32, i32) -> i32
        %141 = "arith.muli"(%140, %107) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
        %142 = "arith.index_cast"(%139) : (i32) -> index
        %143 = "affine.max"(%142) <{map = affine_map<()[s0] -> (40, s0)>}> : (index) -> index
        %144 = "affine.min"(%143, %142) <{map = affine_map<()[s0, s1] -> (s1 + 32, s0)>}> : (index, index) -> index
        %145 = "affine.min"(%144, %142) <{map = affine_map<()[s0, s1] -> (32, s0 - s1)>}> : (index, index) -> index
        %146 = "arith.cmpi"(%145, %105) <{predicate = 2 : i64}> : (index, index) -> i1
        %147 = "arith.index_cast"(%141) : (i32) -> index
        %148 = "affine.max"(%147) <{map = affine_map<()[s0] -> (72, s0)>}> : (index) -> index
        %149 = "affine.min"(%148, %147) <{map = affine_map<()[s0, s1] -> (s1 + 32, s0)>}> : (index, index) -> index
        %150 = "affine.min"(%149, %147) <{map = affine_map<()[s0, s1] -> (32, s0 - s1)>}> : (index, index) -> index
        %151 = "arith.cmpi"(%150, %105) <{predicate = 2 : i64}> : (index, index) -> i1
        %152 = "hivm.hir.pointer_cast"(%117) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<2x2x16x16xf32, #hivm.address_space<cc>>
        "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_FIX>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_M>}> : () -> ()
        "scf.for"(%109, %110, %107) ({
        ^bb0(%arg26: i32):
          %157 = "arith.index_cast"(%arg26) : (i32) -> index
          %158 = "affine.apply"(%157) <{map = affine_map<()[s0] -> ((s0 floordiv 32) mod 2)>}> : (index) -> index
          %159 = "arith.index_cast"(%158) : (index) -> i64
          %160 = "arith.cmpi"(%159, %111) <{predicate = 0 : i64}> : (i64, i64) -> i1
          %161 = "arith.select"(%160, %121, %120) : (i1, memref<2x2x16x16xbf16, #hivm.address_space<cbuf>>, memref<2x2x16x16xbf16, #hivm.address_space<cbuf>>) -> memref<2x2x16x16xbf16, #hivm.address_space<cbuf>>
          %162 = "arith.index_cast"(%arg26) : (i32) -> index
          %163 = "affine.apply"(%162) <{map = affine_map<()[s0] -> ((s0 floordiv 32) mod 2)>}> : (index) -> index
          %164 = "arith.index_cast"(%163) : (index) -> i64
          %165 = "arith.cmpi"(%164, %111) <{predicate = 0 : i64}> : (i64, i64) -> i1
          %166 = "arith.select"(%165, %123, %122) : (i1, memref<2x2x16x16xbf16, #hivm.address_space<cbuf>>, memref<2x2x16x16xbf16, #hivm.address_space<cbuf>>) -> memref<2x2x16x16xbf16, #hivm.address_space<cbuf>>
          %167 = "arith.index_cast"(%arg26) : (i32) -> index
          %168 = "arith.index_cast"(%arg24) : (i32) -> index
          %169 = "arith.index_cast"(%128) : (i32) -> index
          %170 = "affine.apply"(%167, %arg25, %134, %168, %169) <{map = affine_map<()[s0, s1, s2, s3, s4] -> (s0 floordiv 32 + s1 * 2 + ((s3 - s4) floordiv 8) * (s2 * 2))>}> : (index, index, index, index, index) -> index
          %171 = "arith.index_cast"(%170) : (index) -> i64
          %172 = "arith.index_cast"(%arg26) : (i32) -> index
          %173 = "affine.apply"(%172) <{map = affine_map<()[s0] -> ((s0 floordiv 32) mod 2)>}> : (index) -> index
          %174 = "arith.index_cast"(%173) : (index) -> i1
          %175 = "arith.select"(%174, %112, %113) : (i1, i64, i64) -> i64
          %176 = "arith.index_cast"(%173) : (index) -> i1
          %177 = "arith.select"(%176, %111, %114) : (i1, i64, i64) -> i64
          %178 = "arith.index_cast"(%arg26) : (i32) -> index
          %179 = "affine.apply"(%178, %142) <{map = affine_map<()[s0, s1] -> (s0 + s1 * 48)>}> : (index, index) -> index
          %180 = "memref.reinterpret_cast"(%arg16, %179) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 32, 32>, static_strides = array<i64: 48, 1>}> : (memref<?xbf16, #hivm.address_space<gm>>, index) -> memref<32x32xbf16, strided<[48, 1], offset: ?>, #hivm.address_space<gm>>
          %181 = "affine.max"(%178) <{map = affine_map<()[s0] -> (48, s0)>}> : (index) -> index
          %182 = "affine.min"(%181, %178) <{map = affine_map<()[s0, s1] -> (s1 + 32, s0)>}> : (index, index) -> index
          %183 = "affine.min"(%182, %178) <{map = affine_map<()[s0, s1] -> (32, s0 - s1)>}> : (index, index) -> index
          %184 = "arith.cmpi"(%183, %105) <{predicate = 2 : i64}> : (index, index) -> i1
          %185 = "arith.ori"(%146, %184) : (i1, i1) -> i1
          %186 = "memref.subview"(%180, %145, %183) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<32x32xbf16, strided<[48, 1], offset: ?>, #hivm.address_space<gm>>, index, index) -> memref<?x?xbf16, strided<[48, 1], offset: ?>, #hivm.address_space<gm>>
          %187 = "affine.apply"(%145) <{map = affine_map<()[s0] -> ((s0 + 15) floordiv 16)>}> : (index) -> index
          %188 = "affine.apply"(%183) <{map = affine_map<()[s0] -> ((s0 + 15) floordiv 16)>}> : (index) -> index
          %189 = "memref.subview"(%166, %188, %187) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808, 16, 16>, static_strides = array<i64: 1, 1, 1, 1>}> : (memref<2x2x16x16xbf16, #hivm.address_space<cbuf>>, index, index) -> memref<?x?x16x16xbf16, strided<[512, 256, 16, 1]>, #hivm.address_space<cbuf>>
          "scf.if"(%185) ({
            "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
            %206 = "memref.collapse_shape"(%166) <{reassociation = [[0, 1, 2, 3]]}> : (memref<2x2x16x16xbf16, #hivm.address_space<cbuf>>) -> memref<1024xbf16, #hivm.address_space<cbuf>>
            "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
            %207 = "memref.cast"(%206) : (memref<1024xbf16, #hivm.address_space<cbuf>>) -> memref<?xbf16, strided<[?], offset: ?>, #hivm.address_space<cbuf>>
            "func.call"(%104, %207) <{callee = @set_l1_2d_bfloat16_t}> : (bf16, memref<?xbf16, strided<[?], offset: ?>, #hivm.address_space<cbuf>>) -> ()
            "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
            "scf.yield"() : () -> ()
          }, {
          }) {hivm.unlikely_condition} : (i1) -> ()
          "hivm.hir.wait_flag"(%177) <{set_pipe = #hivm.pipe<PIPE_MTE1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
          %190 = "memref.cast"(%186) : (memref<?x?xbf16, strided<[48, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<?x?xbf16, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>
          %191 = "memref.cast"(%189) : (memref<?x?x16x16xbf16, strided<[512, 256, 16, 1]>, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xbf16, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>
          "func.call"(%190, %191) <{callee = @nd2nz_bfloat16_t}> : (memref<?x?xbf16, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>, memref<?x?x?x?xbf16, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>) -> ()
          "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE1>}> : () -> ()
          %192 = "affine.apply"(%147, %178) <{map = affine_map<()[s0, s1] -> (s0 + s1 * 72)>}> : (index, index) -> index
          %193 = "memref.reinterpret_cast"(%arg17, %192) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 32, 32>, static_strides = array<i64: 72, 1>}> : (memref<?xbf16, #hivm.address_space<gm>>, index) -> memref<32x32xbf16, strided<[72, 1], offset: ?>, #hivm.address_space<gm>>
          %194 = "arith.ori"(%184, %151) : (i1, i1) -> i1
          %195 = "memref.subview"(%193, %183, %150) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<32x32xbf16, strided<[72, 1], offset: ?>, #hivm.address_space<gm>>, index, index) -> memref<?x?xbf16, strided<[72, 1], offset: ?>, #hivm.address_space<gm>>
          %196 = "affine.apply"(%150) <{map = affine_map<()[s0] -> ((s0 + 15) floordiv 16)>}> : (index) -> index
          %197 = "memref.subview"(%161, %196, %188) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0, 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808, 16, 16>, static_strides = array<i64: 1, 1, 1, 1>}> : (memref<2x2x16x16xbf16, #hivm.address_space<cbuf>>, index, index) -> memref<?x?x16x16xbf16, strided<[512, 256, 16, 1]>, #hivm.address_space<cbuf>>
          "scf.if"(%194) ({
            "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
            %204 = "memref.collapse_shape"(%161) <{reassociation = [[0, 1, 2, 3]]}> : (memref<2x2x16x16xbf16, #hivm.address_space<cbuf>>) -> memref<1024xbf16, #hivm.address_space<cbuf>>
            "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE1>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
            %205 = "memref.cast"(%204) : (memref<1024xbf16, #hivm.address_space<cbuf>>) -> memref<?xbf16, strided<[?], offset: ?>, #hivm.address_space<cbuf>>
            "func.call"(%104, %205) <{callee = @set_l1_2d_bfloat16_t}> : (bf16, memref<?xbf16, strided<[?], offset: ?>, #hivm.address_space<cbuf>>) -> ()
            "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
            "scf.yield"() : () -> ()
          }, {
          }) {hivm.unlikely_condition} : (i1) -> ()
          "hivm.hir.wait_flag"(%175) <{set_pipe = #hivm.pipe<PIPE_MTE1>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
          %198 = "memref.cast"(%195) : (memref<?x?xbf16, strided<[72, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<?x?xbf16, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>
          %199 = "memref.cast"(%197) : (memref<?x?x16x16xbf16, strided<[512, 256, 16, 1]>, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xbf16, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>
          "func.call"(%198, %199) <{callee = @nd2nz_bfloat16_t}> : (memref<?x?xbf16, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>, memref<?x?x?x?xbf16, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>) -> ()
          "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID1>, wait_pipe = #hivm.pipe<PIPE_MTE1>}> : () -> ()
          %200 = "arith.cmpi"(%arg26, %109) <{predicate = 0 : i64}> : (i32, i32) -> i1
          %201 = "memref.cast"(%166) : (memref<2x2x16x16xbf16, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xbf16, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>
          %202 = "memref.cast"(%161) : (memref<2x2x16x16xbf16, #hivm.address_space<cbuf>>) -> memref<?x?x?x?xbf16, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>
          %203 = "memref.cast"(%152) : (memref<2x2x16x16xf32, #hivm.address_space<cc>>) -> memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cc>>
          "func.call"(%201, %202, %200, %145, %183, %150, %203, %117, %111, %177, %175, %171, %115, %115, %100) <{callee = @mma_tile_bfloat16_t_to_float}> : (memref<?x?x?x?xbf16, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>, memref<?x?x?x?xbf16, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>, i1, index, index, index, memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cc>>, i64, i64, i64, i64, i64, i64, i64, i8) -> ()
          "scf.yield"() : () -> ()
        }) {fixpipe_for_mmad_result_already_inserted = true, pipeline.cubeonly} : (i32, i32, i32) -> ()
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
        %153 = "memref.subview"(%132, %arg25) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0, 0>, static_sizes = array<i64: 1, 32, 32>, static_strides = array<i64: 1, 1, 1>}> : (memref<4x32x32xf32, #hivm.address_space<gm>>, index) -> memref<1x32x32xf32, strided<[1024, 32, 1], offset: ?>, #hivm.address_space<gm>>
        %154 = "memref.collapse_shape"(%153) <{reassociation = [[0, 1], [2]]}> : (memref<1x32x32xf32, strided<[1024, 32, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<32x32xf32, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>
        "hivm.hir.sync_block_wait"(%135) <{pipe = #hivm.pipe<PIPE_S>, tcore_type = #hivm.tcore_type<CUBE>, tpipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
        "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_M>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
        %155 = "memref.cast"(%152) : (memref<2x2x16x16xf32, #hivm.address_space<cc>>) -> memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cc>>
        %156 = "memref.cast"(%154) : (memref<32x32xf32, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<?x?xf32, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>
        "func.call"(%155, %156, %117, %117, %99, %100) <{callee = @fixpipe_nz2nd_float_to_float_4d_to_2d}> : (memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cc>>, memref<?x?xf32, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>, i64, i64, i1, i8) -> ()
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
  "func.func"() <{function_type = (bf16, memref<?xbf16, strided<[?], offset: ?>, #hivm.address_space<cbuf>>) -> (), sym_name = "set_l1_2d_bfloat16_t", sym_visibility = "private"}> ({
  }) {hacc.always_inline, hivm.func_core_type = #hivm.func_core_type<AIC>, llvm.emit_c_interface} : () -> ()
  "func.func"() <{function_type = (memref<?x?xbf16, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>, memref<?x?x?x?xbf16, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>) -> (), sym_name = "nd2nz_bfloat16_t", sym_visibility = "private"}> ({
  }) {hacc.always_inline, hivm.func_core_type = #hivm.func_core_type<AIC>, llvm.emit_c_interface} : () -> ()
  "func.func"() <{function_type = (memref<?x?x?x?xbf16, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>, memref<?x?x?x?xbf16, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cbuf>>, i1, index, index, index, memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cc>>, i64, i64, i64, i64, i64, i64, i64, i8) -> (), sym_name = "mma_tile_bfloat16_t_to_float", sym_visibility = "private"}> ({
  }) {hacc.always_inline, hivm.func_core_type = #hivm.func_core_type<AIC>, llvm.emit_c_interface} : () -> ()
  "func.func"() <{function_type = (memref<?x?x?x?xf32, strided<[?, ?, ?, ?], offset: ?>, #hivm.address_space<cc>>, memref<?x?xf32, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>, i64, i64, i1, i8) -> (), sym_name = "fixpipe_nz2nd_float_to_float_4d_to_2d", sym_visibility = "private"}> ({
  }) {hacc.always_inline, hivm.func_core_type = #hivm.func_core_type<AIC>, llvm.emit_c_interface} : () -> ()
  "func.func"() <{function_type = (memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<gm>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, i32, f32, index) -> (), sym_name = "load_gm_to_ubuf_1d_float", sym_visibility = "private"}> ({
  }) {hacc.always_inline, hivm.func_core_type = #hivm.func_core_type<AIV>, llvm.emit_c_interface} : () -> ()
  "func.func"() <{function_type = (memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, f32, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>) -> (), sym_name = "vmuls_vs_1d_float", sym_visibility = "private"}> ({
  }) {hacc.always_inline, hivm.func_core_type = #hivm.func_core_type<AIV>, llvm.emit_c_interface} : () -> ()
  "func.func"() <{function_type = (memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, f32, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>) -> (), sym_name = "vadds_vs_1d_float", sym_visibility = "private"}> ({
  }) {hacc.always_inline, hivm.func_core_type = #hivm.func_core_type<AIV>, llvm.emit_c_interface} : () -> ()
  "func.func"() <{function_type = (memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>) -> (), sym_name = "vexp_1d_float", sym_visibility = "private"}> ({
  }) {hacc.always_inline, hivm.func_core_type = #hivm.func_core_type<AIV>, llvm.emit_c_interface} : () -> ()
  "func.func"() <{function_type = (memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>) -> (), sym_name = "vdiv_1d_float", sym_visibility = "private"}> ({
  }) {hacc.always_inline, hivm.func_core_type = #hivm.func_core_type<AIV>, llvm.emit_c_interface} : () -> ()
  "func.func"() <{function_type = (memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xbf16, strided<[?], offset: ?>, #hivm.address_space<ub>>, i32) -> (), sym_name = "vcast_float_to_bfloat16_t_1d_with_mode", sym_visibility = "private"}> ({
  }) {hacc.always_inline, hivm.func_core_type = #hivm.func_core_type<AIV>, llvm.emit_c_interface} : () -> ()
  "func.func"() <{function_type = (memref<?x?xbf16, strided<[?, ?], offset: ?>, #hivm.address_space<ub>>, memref<?x?xbf16, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>, i32) -> (), sym_name = "store_ubuf_to_gm_2d_bfloat16_t", sym_visibility = "private"}> ({
  }) {hacc.always_inline, hivm.func_core_type = #hivm.func_core_type<AIV>, llvm.emit_c_interface} : () -> ()
  "func.func"() <{arg_attrs = [{hacc.arg_type = #hacc.arg_type<ffts_base_address>}, {hacc.arg_type = #hacc.arg_type<sync_block_lock>}, {hacc.arg_type = #hacc.arg_type<workspace>}, {tt.tensor_kind = 0 : i32}, {tt.tensor_kind = 0 : i32}, {}, {}, {tt.tensor_kind = 1 : i32}, {}, {}, {}], function_type = (i64, memref<?xi8, #hivm.address_space<gm>>, memref<?xi8, #hivm.address_space<gm>>, memref<?xbf16, #hivm.address_space<gm>>, memref<?xbf16, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, memref<?xf32, #hivm.address_space<gm>>, memref<?xbf16, #hivm.address_space<gm>>, i32, i32, i32) -> (), sym_name = "gemm_epilogue_mix_aiv"}> ({
  ^bb0(%arg0: i64, %arg1: memref<?xi8, #hivm.address_space<gm>>, %arg2: memref<?xi8, #hivm.address_space<gm>>, %arg3: memref<?xbf16, #hivm.address_space<gm>>, %arg4: memref<?xbf16, #hivm.address_space<gm>>, %arg5: memref<?xf32, #hivm.address_space<gm>>, %arg6: memref<?xf32, #hivm.address_space<gm>>, %arg7: memref<?xbf16, #hivm.address_space<gm>>, %arg8: i32, %arg9: i32, %arg10: i32):
    %0 = "arith.constant"() <{value = 0 : i32}> : () -> i32
    %1 = "arith.constant"() <{value = 2048 : i64}> : () -> i64
    %2 = "arith.constant"() <{value = 0 : i64}> : () -> i64
    %3 = "arith.constant"() <{value = 8 : i32}> : () -> i32
    %4 = "arith.constant"() <{value = -1.000000e+00 : f32}> : () -> f32
    %5 = "arith.constant"() <{value = 3 : i32}> : () -> i32
    %6 = "arith.constant"() <{value = 32 : i32}> : () -> i32
    %7 = "arith.constant"() <{value = 1.702000e+00 : f32}> : () -> f32
    %8 = "arith.constant"() <{value = 6 : i32}> : () -> i32
    %9 = "arith.constant"() <{value = 0.000000e+00 : f32}> : () -> f32
    %10 = "arith.constant"() <{value = 1.000000e+00 : f32}> : () -> f32
    %11 = "arith.constant"() <{value = 0 : index}> : () -> index
    %12 = "arith.constant"() <{value = 1 : index}> : () -> index
    %13 = "hivm.hir.get_block_idx"() : () -> i64
    %14 = "arith.trunci"(%13) : (i64) -> i32
    %15 = "arith.muli"(%arg10, %arg9) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
    %16 = "hivm.hir.get_sub_block_idx"() : () -> i64
    %17 = "arith.index_cast"(%16) : (i64) -> index
    %18 = "affine.apply"(%17) <{map = affine_map<()[s0] -> (s0 * 16)>}> : (index) -> index
    "hivm.hir.set_ffts_base_addr"(%arg0) : (i64) -> ()
    "hivm.hir.set_mask_norm"() : () -> ()
    %19 = "arith.divsi"(%14, %15) : (i32, i32) -> i32
    %20 = "arith.remsi"(%19, %arg8) : (i32, i32) -> i32
    %21 = "hivm.hir.get_block_idx"() : () -> i64
    %22 = "arith.index_cast"(%21) : (i64) -> index
    %23 = "affine.apply"(%22) <{map = affine_map<()[s0] -> (s0 * 16384)>}> : (index) -> index
    %24 = "memref.view"(%arg2, %23) : (memref<?xi8, #hivm.address_space<gm>>, index) -> memref<4x32x32xf32, #hivm.address_space<gm>>
    "hivm.hir.sync_block_set"(%arg0) <{operandSegmentSizes = array<i32: 0, 1>, pipe = #hivm.pipe<PIPE_S>, static_flag_id = 0 : i64, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
    "hivm.hir.sync_block_set"(%arg0) <{operandSegmentSizes = array<i32: 0, 1>, pipe = #hivm.pipe<PIPE_S>, static_flag_id = 1 : i64, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
    "hivm.hir.sync_block_set"(%arg0) <{operandSegmentSizes = array<i32: 0, 1>, pipe = #hivm.pipe<PIPE_S>, static_flag_id = 2 : i64, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
    "hivm.hir.sync_block_set"(%arg0) <{operandSegmentSizes = array<i32: 0, 1>, pipe = #hivm.pipe<PIPE_S>, static_flag_id = 3 : i64, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_MTE2>}> : (i64) -> ()
    "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
    "scf.for"(%20, %8, %3) ({
    ^bb0(%arg11: i32):
      %25 = "arith.index_cast"(%arg11) : (i32) -> index
      %26 = "affine.min"(%25) <{map = affine_map<(d0) -> ((-d0 + 6) ceildiv 2, 4)>}> : (index) -> index
      %27 = "memref.subview"(%24, %18) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: 0, -9223372036854775808, 0>, static_sizes = array<i64: 4, 16, 32>, static_strides = array<i64: 1, 1, 1>}> {to_be_bubbled_slice} : (memref<4x32x32xf32, #hivm.address_space<gm>>, index) -> memref<4x16x32xf32, strided<[1024, 32, 1], offset: ?>, #hivm.address_space<gm>>
      "scf.for"(%11, %26, %12) ({
      ^bb0(%arg12: index):
        %28 = "arith.index_cast"(%arg12) : (index) -> i64
        %29 = "affine.apply"(%arg12, %25) <{map = affine_map<(d0)[s0] -> (d0 * 2 + s0)>}> : (index, index) -> index
        %30 = "arith.index_cast"(%29) : (index) -> i32
        %31 = "arith.divsi"(%30, %5) : (i32, i32) -> i32
        %32 = "arith.muli"(%31, %6) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
        %33 = "arith.remsi"(%30, %5) : (i32, i32) -> i32
        %34 = "arith.muli"(%33, %6) <{overflowFlags = #arith.overflow<none>}> : (i32, i32) -> i32
        %35 = "arith.index_cast"(%32) : (i32) -> index
        %36 = "affine.max"(%35) <{map = affine_map<()[s0] -> (40, s0)>}> : (index) -> index
        %37 = "affine.min"(%36, %35) <{map = affine_map<()[s0, s1] -> (s1 + 32, s0)>}> : (index, index) -> index
        %38 = "affine.min"(%37, %35) <{map = affine_map<()[s0, s1] -> (32, s0 - s1)>}> : (index, index) -> index
        "hivm.hir.sync_block_wait"() <{pipe = #hivm.pipe<PIPE_S>, static_flag_id = 4 : i64, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_FIX>}> : () -> ()
        %39 = "memref.subview"(%27, %arg12) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0, 0>, static_sizes = array<i64: 1, 16, 32>, static_strides = array<i64: 1, 1, 1>}> : (memref<4x16x32xf32, strided<[1024, 32, 1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<16x32xf32, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>
        %40 = "hivm.hir.pointer_cast"(%2) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<16x32xf32, #hivm.address_space<ub>>
        %41 = "memref.collapse_shape"(%39) <{reassociation = [[0, 1]]}> : (memref<16x32xf32, strided<[32, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<512xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>
        %42 = "memref.collapse_shape"(%40) <{reassociation = [[0, 1]]}> : (memref<16x32xf32, #hivm.address_space<ub>>) -> memref<512xf32, #hivm.address_space<ub>>
        "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE3>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE2>}> : () -> ()
        %43 = "memref.cast"(%41) : (memref<512xf32, strided<[1], offset: ?>, #hivm.address_space<gm>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<gm>>
        %44 = "memref.cast"(%42) : (memref<512xf32, #hivm.address_space<ub>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>
        "func.call"(%43, %44, %0, %9, %11) <{callee = @load_gm_to_ubuf_1d_float}> : (memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<gm>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, i32, f32, index) -> ()
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
        "hivm.hir.sync_block_set"(%28, %arg0) <{operandSegmentSizes = array<i32: 1, 1>, pipe = #hivm.pipe<PIPE_S>, tcore_type = #hivm.tcore_type<VECTOR>, tpipe = #hivm.pipe<PIPE_MTE2>}> : (i64, i64) -> ()
        %45 = "hivm.hir.pointer_cast"(%1) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<16x32xf32, #hivm.address_space<ub>>
        %46 = "memref.collapse_shape"(%45) <{reassociation = [[0, 1]]}> : (memref<16x32xf32, #hivm.address_space<ub>>) -> memref<512xf32, #hivm.address_space<ub>>
        "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_MTE2>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_V>}> : () -> ()
        %47 = "hivm.hir.pointer_cast"(%2) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<0xf32, #hivm.address_space<ub>>
        %48 = "memref.cast"(%42) : (memref<512xf32, #hivm.address_space<ub>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>
        %49 = "memref.cast"(%46) : (memref<512xf32, #hivm.address_space<ub>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>
        %50 = "memref.cast"(%47) : (memref<0xf32, #hivm.address_space<ub>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>
        "func.call"(%48, %7, %49, %50) <{callee = @vmuls_vs_1d_float}> : (memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, f32, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>) -> ()
        %51 = "hivm.hir.pointer_cast"(%1) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<16x32xf32, #hivm.address_space<ub>>
        %52 = "memref.collapse_shape"(%51) <{reassociation = [[0, 1]]}> : (memref<16x32xf32, #hivm.address_space<ub>>) -> memref<512xf32, #hivm.address_space<ub>>
        "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
        %53 = "hivm.hir.pointer_cast"(%2) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<0xf32, #hivm.address_space<ub>>
        %54 = "memref.cast"(%46) : (memref<512xf32, #hivm.address_space<ub>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>
        %55 = "memref.cast"(%52) : (memref<512xf32, #hivm.address_space<ub>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>
        %56 = "memref.cast"(%53) : (memref<0xf32, #hivm.address_space<ub>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>
        "func.call"(%54, %4, %55, %56) <{callee = @vmuls_vs_1d_float}> : (memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, f32, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>) -> ()
        %57 = "hivm.hir.pointer_cast"(%1) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<16x32xf32, #hivm.address_space<ub>>
        %58 = "memref.collapse_shape"(%57) <{reassociation = [[0, 1]]}> : (memref<16x32xf32, #hivm.address_space<ub>>) -> memref<512xf32, #hivm.address_space<ub>>
        "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
        %59 = "hivm.hir.pointer_cast"(%2) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<0xf32, #hivm.address_space<ub>>
        %60 = "memref.cast"(%52) : (memref<512xf32, #hivm.address_space<ub>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>
        %61 = "memref.cast"(%58) : (memref<512xf32, #hivm.address_space<ub>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>
        %62 = "memref.cast"(%59) : (memref<0xf32, #hivm.address_space<ub>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>
        "func.call"(%60, %9, %61, %62) <{callee = @vadds_vs_1d_float}> : (memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, f32, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>) -> ()
        %63 = "hivm.hir.pointer_cast"(%1) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<16x32xf32, #hivm.address_space<ub>>
        %64 = "memref.collapse_shape"(%63) <{reassociation = [[0, 1]]}> : (memref<16x32xf32, #hivm.address_space<ub>>) -> memref<512xf32, #hivm.address_space<ub>>
        "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
        %65 = "hivm.hir.pointer_cast"(%2) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<0xf32, #hivm.address_space<ub>>
        %66 = "memref.cast"(%58) : (memref<512xf32, #hivm.address_space<ub>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>
        %67 = "memref.cast"(%64) : (memref<512xf32, #hivm.address_space<ub>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>
        %68 = "memref.cast"(%65) : (memref<0xf32, #hivm.address_space<ub>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>
        "func.call"(%66, %67, %68) <{callee = @vexp_1d_float}> : (memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>) -> ()
        %69 = "hivm.hir.pointer_cast"(%1) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<16x32xf32, #hivm.address_space<ub>>
        %70 = "memref.collapse_shape"(%69) <{reassociation = [[0, 1]]}> : (memref<16x32xf32, #hivm.address_space<ub>>) -> memref<512xf32, #hivm.address_space<ub>>
        "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
        %71 = "hivm.hir.pointer_cast"(%2) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<0xf32, #hivm.address_space<ub>>
        %72 = "memref.cast"(%64) : (memref<512xf32, #hivm.address_space<ub>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>
        %73 = "memref.cast"(%70) : (memref<512xf32, #hivm.address_space<ub>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>
        %74 = "memref.cast"(%71) : (memref<0xf32, #hivm.address_space<ub>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>
        "func.call"(%72, %10, %73, %74) <{callee = @vadds_vs_1d_float}> : (memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, f32, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>) -> ()
        %75 = "hivm.hir.pointer_cast"(%2) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<16x32xf32, #hivm.address_space<ub>>
        %76 = "memref.collapse_shape"(%75) <{reassociation = [[0, 1]]}> : (memref<16x32xf32, #hivm.address_space<ub>>) -> memref<512xf32, #hivm.address_space<ub>>
        "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
        %77 = "hivm.hir.pointer_cast"(%2) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<0xf32, #hivm.address_space<ub>>
        %78 = "memref.cast"(%42) : (memref<512xf32, #hivm.address_space<ub>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>
        %79 = "memref.cast"(%70) : (memref<512xf32, #hivm.address_space<ub>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>
        %80 = "memref.cast"(%76) : (memref<512xf32, #hivm.address_space<ub>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>
        %81 = "memref.cast"(%77) : (memref<0xf32, #hivm.address_space<ub>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>
        "func.call"(%78, %79, %80, %81) <{callee = @vdiv_1d_float}> : (memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>) -> ()
        %82 = "arith.index_cast"(%34) : (i32) -> index
        %83 = "affine.apply"(%82, %35) <{map = affine_map<()[s0, s1] -> (s0 + s1 * 72)>}> : (index, index) -> index
        %84 = "affine.max"(%82) <{map = affine_map<()[s0] -> (72, s0)>}> : (index) -> index
        %85 = "affine.min"(%84, %82) <{map = affine_map<()[s0, s1] -> (s1 + 32, s0)>}> : (index, index) -> index
        %86 = "affine.min"(%85, %82) <{map = affine_map<()[s0, s1] -> (32, s0 - s1)>}> : (index, index) -> index
        %87 = "memref.reinterpret_cast"(%arg7, %83) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808>, static_sizes = array<i64: 32, 32>, static_strides = array<i64: 72, 1>}> : (memref<?xbf16, #hivm.address_space<gm>>, index) -> memref<32x32xbf16, strided<[72, 1], offset: ?>, #hivm.address_space<gm>>
        %88 = "memref.subview"(%87, %18) <{operandSegmentSizes = array<i32: 1, 1, 0, 0>, static_offsets = array<i64: -9223372036854775808, 0>, static_sizes = array<i64: 16, 32>, static_strides = array<i64: 1, 1>}> {to_be_bubbled_slice} : (memref<32x32xbf16, strided<[72, 1], offset: ?>, #hivm.address_space<gm>>, index) -> memref<16x32xbf16, strided<[72, 1], offset: ?>, #hivm.address_space<gm>>
        %89 = "hivm.hir.pointer_cast"(%2) <{operandSegmentSizes = array<i32: 1, 0>}> : (i64) -> memref<16x32xbf16, #hivm.address_space<ub>>
        %90 = "memref.collapse_shape"(%89) <{reassociation = [[0, 1]]}> : (memref<16x32xbf16, #hivm.address_space<ub>>) -> memref<512xbf16, #hivm.address_space<ub>>
        "hivm.hir.pipe_barrier"() <{pipe = #hivm.pipe<PIPE_V>}> : () -> ()
        %91 = "memref.cast"(%76) : (memref<512xf32, #hivm.address_space<ub>>) -> memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>
        %92 = "memref.cast"(%90) : (memref<512xbf16, #hivm.address_space<ub>>) -> memref<?xbf16, strided<[?], offset: ?>, #hivm.address_space<ub>>
        "func.call"(%91, %92, %0) <{callee = @vcast_float_to_bfloat16_t_1d_with_mode}> : (memref<?xf32, strided<[?], offset: ?>, #hivm.address_space<ub>>, memref<?xbf16, strided<[?], offset: ?>, #hivm.address_space<ub>>, i32) -> ()
        "hivm.hir.set_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
        %93 = "affine.min"(%17, %37, %35) <{map = affine_map<()[s0, s1, s2] -> (32, s1 - s2, s0 * 16)>}> : (index, index, index) -> index
        %94 = "affine.min"(%38, %93) <{map = affine_map<()[s0, s1] -> (16, s0 - s1)>}> : (index, index) -> index
        %95 = "memref.subview"(%89, %94, %86) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<16x32xbf16, #hivm.address_space<ub>>, index, index) -> memref<?x?xbf16, strided<[32, 1]>, #hivm.address_space<ub>>
        %96 = "memref.subview"(%88, %94, %86) <{operandSegmentSizes = array<i32: 1, 0, 2, 0>, static_offsets = array<i64: 0, 0>, static_sizes = array<i64: -9223372036854775808, -9223372036854775808>, static_strides = array<i64: 1, 1>}> : (memref<16x32xbf16, strided<[72, 1], offset: ?>, #hivm.address_space<gm>>, index, index) -> memref<?x?xbf16, strided<[72, 1], offset: ?>, #hivm.address_space<gm>>
        "hivm.hir.wait_flag"() <{set_pipe = #hivm.pipe<PIPE_V>, static_event_id = #hivm.event<EVENT_ID0>, wait_pipe = #hivm.pipe<PIPE_MTE3>}> : () -> ()
        %97 = "memref.cast"(%95) : (memref<?x?xbf16, strided<[32, 1]>, #hivm.address_space<ub>>) -> memref<?x?xbf16, strided<[?, ?], offset: ?>, #hivm.address_space<ub>>
        %98 = "memref.cast"(%96) : (memref<?x?xbf16, strided<[72, 1], offset: ?>, #hivm.address_space<gm>>) -> memref<?x?xbf16, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>
        "func.call"(%97, %98, %0) <{callee = @store_ubuf_to_gm_2d_bfloat16_t}> : (memref<?x?xbf16, strided<[?, ?], offset: ?>, #hivm.address_space<ub>>, memref<?x?xbf16, strided<[?, ?], offset: ?>, #hivm.address_space<gm>>, i32) -> ()
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
