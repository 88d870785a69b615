	.file	"<string>"
	.section	.ltext,"axl",@progbits
	.globl	_ZN9privboost7kernels5route12leaf_of_rowsB2v1B56c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAK4JJIqUWsIgmAA_3d_3dE5ArrayIhLi2E1C7mutable7alignedEx5ArrayIiLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIbLi1E1C7mutable7alignedE5ArrayIiLi1E1C7mutable7alignedE
	.p2align	4
	.type	_ZN9privboost7kernels5route12leaf_of_rowsB2v1B56c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAK4JJIqUWsIgmAA_3d_3dE5ArrayIhLi2E1C7mutable7alignedEx5ArrayIiLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIbLi1E1C7mutable7alignedE5ArrayIiLi1E1C7mutable7alignedE,@function
_ZN9privboost7kernels5route12leaf_of_rowsB2v1B56c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAK4JJIqUWsIgmAA_3d_3dE5ArrayIhLi2E1C7mutable7alignedEx5ArrayIiLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIbLi1E1C7mutable7alignedE5ArrayIiLi1E1C7mutable7alignedE:
	.cfi_startproc
	pushq	%rbp
	.cfi_def_cfa_offset 16
	pushq	%r15
	.cfi_def_cfa_offset 24
	pushq	%r14
	.cfi_def_cfa_offset 32
	pushq	%r13
	.cfi_def_cfa_offset 40
	pushq	%r12
	.cfi_def_cfa_offset 48
	pushq	%rbx
	.cfi_def_cfa_offset 56
	subq	$120, %rsp
	.cfi_def_cfa_offset 176
	.cfi_offset %rbx, -56
	.cfi_offset %r12, -48
	.cfi_offset %r13, -40
	.cfi_offset %r14, -32
	.cfi_offset %r15, -24
	.cfi_offset %rbp, -16
	movq	488(%rsp), %rbp
	movq	336(%rsp), %r15
	movq	280(%rsp), %rbx
	movq	224(%rsp), %r13
	movq	216(%rsp), %r14
	movabsq	$NRT_incref, %r12
	movq	%rdi, 48(%rsp)
	movq	%rdx, %rdi
	movq	%r9, 104(%rsp)
	movq	%r8, 96(%rsp)
	movq	%rcx, 88(%rsp)
	movq	%rsi, 16(%rsp)
	movq	$0, 40(%rsp)
	movq	%rdx, 24(%rsp)
	callq	*%r12
	movq	%r13, %rdi
	callq	*%r12
	movq	%rbx, %rdi
	callq	*%r12
	movq	%r15, %rdi
	callq	*%r12
	movq	392(%rsp), %rdi
	callq	*%r12
	movq	448(%rsp), %rdi
	callq	*%r12
	cmpq	$5, %r14
	movl	$4, %ecx
	movl	$8, %eax
	movl	$1, %edx
	movl	$1, %r13d
	cmovgeq	%r14, %rcx
	cmpq	$8, %rcx
	cmovlq	%rcx, %rax
	movl	$2, %ecx
	addq	$-2, %rax
	.p2align	4
.LBB0_1:
	testb	$1, %al
	movq	%rcx, %rsi
	cmoveq	%rdx, %rsi
	imulq	%rcx, %rcx
	shrq	%rax
	imulq	%rsi, %r13
	testq	%rax, %rax
	jne	.LBB0_1
	movq	192(%rsp), %rax
	movl	$2048, %ebx
	cmpq	$2048, %rax
	cmovlq	%rax, %rbx
	testq	%rax, %rax
	js	.LBB0_3
	leaq	1(%r13), %rax
	leaq	(%rax,%rax), %rdi
	movq	%rax, 80(%rsp)
	movabsq	$4611686018427387905, %rax
	imulq	%rbx, %rdi
	seto	%cl
	addq	%r13, %rax
	movabsq	$.const.picklebuf.58e14eccb507b1e0206981740223e685cb8c3c57, %rax
	js	.LBB0_4
	testb	%cl, %cl
	jne	.LBB0_4
	movabsq	$NRT_MemInfo_alloc_aligned, %rax
	movl	$32, %esi
	callq	*%rax
	movq	%rax, 8(%rsp)
	testq	%rax, %rax
	je	.LBB0_8
	cmpq	$0, 192(%rsp)
	movq	%rbx, 32(%rsp)
	je	.LBB0_10
	movq	8(%rsp), %rax
	movq	32(%rsp), %rdx
	leaq	1(%r13), %rcx
	xorl	%r12d, %r12d
	xorl	%esi, %esi
	movq	24(%rax), %rax
	imulq	%rdx, %r13
	imulq	%rdx, %rcx
	movq	%rcx, 72(%rsp)
	addq	%rcx, %rcx
	movq	%rcx, 56(%rsp)
	addq	%rax, %r13
	movq	%rax, 64(%rsp)
	movabsq	$memset, %rax
	movq	%r13, %rdi
	callq	*%rax
	movq	192(%rsp), %rax
	leaq	2047(%rax), %r13
	shrq	$11, %r13
	incq	%r13
	.p2align	4
.LBB0_12:
	movq	192(%rsp), %rax
	leaq	2048(%r12), %r14
	movq	%r12, %rdx
	movq	%r14, %rcx
	cmpq	%r14, %rax
	cmovlq	%rax, %rcx
	sarq	$63, %rdx
	andq	%rbp, %rdx
	addq	%r12, %rdx
	movq	%rdx, %rax
	js	.LBB0_13
	cmpq	%rbp, %rdx
	jge	.LBB0_15
.LBB0_16:
	movq	%r14, %rdx
	sarq	$63, %rdx
	andq	%rbp, %rdx
	addq	%rcx, %rdx
	movq	%rdx, %rcx
	js	.LBB0_17
	cmpq	%rbp, %rdx
	jge	.LBB0_19
.LBB0_20:
	subq	%rax, %rcx
	movq	%rbp, %rbx
	movq	448(%rsp), %rbp
	movq	%rcx, %rdx
	sarq	$63, %rdx
	andnq	%rcx, %rdx, %r12
	movq	480(%rsp), %rdx
	movq	%rbp, %rdi
	leaq	(%rdx,%rax,4), %r15
	movabsq	$NRT_incref, %rax
	callq	*%rax
	addq	$-2048, %r14
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	movq	32(%rsp), %rdx
	movq	96(%rsp), %rcx
	movq	104(%rsp), %r8
	movq	112(%rsp), %r9
	leaq	120(%rsp), %rdi
	leaq	48(%rsp), %rsi
	pushq	504(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	%r12
	.cfi_adjust_cfa_offset 8
	pushq	%r15
	.cfi_adjust_cfa_offset 8
	pushq	504(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	%r12
	.cfi_adjust_cfa_offset 8
	pushq	504(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	%rbp
	.cfi_adjust_cfa_offset 8
	pushq	$1
	.cfi_adjust_cfa_offset 8
	movq	104(%rsp), %rax
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	pushq	152(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	pushq	176(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	$2
	.cfi_adjust_cfa_offset 8
	pushq	176(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	$1
	.cfi_adjust_cfa_offset 8
	pushq	184(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	$0
	.cfi_adjust_cfa_offset 8
	pushq	152(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	592(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	592(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	592(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	592(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	592(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	592(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	592(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	592(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	592(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	592(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	592(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	592(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	592(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	592(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	592(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	592(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	592(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	592(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	592(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	592(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	592(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	592(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	592(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	592(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	592(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	592(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	592(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	592(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	592(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	%r14
	.cfi_adjust_cfa_offset 8
	pushq	600(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	600(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	600(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	600(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	600(%rsp)
	.cfi_adjust_cfa_offset 8
	movabsq	$_ZN9privboost7kernels5route7_leavesB3v10B56c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAK4JJIqUWsIgmAA_3d_3dE5ArrayIhLi2E1C7mutable7alignedExx5ArrayIiLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIbLi1E1C7mutable7alignedE5ArrayIhLi3E1C7mutable7alignedE5ArrayIiLi1E1C7mutable7alignedE, %rax
	callq	*%rax
	addq	$432, %rsp
	.cfi_adjust_cfa_offset -432
	testl	%eax, %eax
	jne	.LBB0_22
	movabsq	$NRT_decref, %rax
	movq	%rbp, %rdi
	callq	*%rax
	addq	$2048, %r14
	decq	%r13
	movq	%rbx, %rbp
	movq	%r14, %r12
	cmpq	$1, %r13
	ja	.LBB0_12
	jmp	.LBB0_10
.LBB0_13:
	xorl	%eax, %eax
	cmpq	%rbp, %rdx
	jl	.LBB0_16
.LBB0_15:
	movq	%rbp, %rax
	jmp	.LBB0_16
.LBB0_17:
	xorl	%ecx, %ecx
	cmpq	%rbp, %rdx
	jl	.LBB0_20
.LBB0_19:
	movq	%rbp, %rcx
	jmp	.LBB0_20
.LBB0_10:
	movq	448(%rsp), %rdi
	movabsq	$NRT_decref, %rbx
	callq	*%rbx
	movq	392(%rsp), %rdi
	callq	*%rbx
	movq	336(%rsp), %rdi
	callq	*%rbx
	movq	8(%rsp), %rdi
	callq	*%rbx
	movq	280(%rsp), %rdi
	callq	*%rbx
	movq	24(%rsp), %rdi
	callq	*%rbx
	movq	224(%rsp), %rdi
	callq	*%rbx
	movq	48(%rsp), %rax
	movq	$0, (%rax)
	xorl	%eax, %eax
	jmp	.LBB0_23
.LBB0_22:
	movq	40(%rsp), %rcx
	movq	16(%rsp), %rdx
	movq	%rcx, (%rdx)
.LBB0_23:
	addq	$120, %rsp
	.cfi_def_cfa_offset 56
	popq	%rbx
	.cfi_def_cfa_offset 48
	popq	%r12
	.cfi_def_cfa_offset 40
	popq	%r13
	.cfi_def_cfa_offset 32
	popq	%r14
	.cfi_def_cfa_offset 24
	popq	%r15
	.cfi_def_cfa_offset 16
	popq	%rbp
	.cfi_def_cfa_offset 8
	retq
.LBB0_3:
	.cfi_def_cfa_offset 176
	movabsq	$.const.picklebuf.331b8563bdb9dac81b38422273052c486fc1706b, %rax
	jmp	.LBB0_4
.LBB0_8:
	movabsq	$.const.picklebuf.ba289d81f05c7020f3477c15734804df65abe209, %rax
.LBB0_4:
	movq	16(%rsp), %rcx
	movq	%rax, (%rcx)
	movl	$1, %eax
	jmp	.LBB0_23
.Lfunc_end0:
	.size	_ZN9privboost7kernels5route12leaf_of_rowsB2v1B56c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAK4JJIqUWsIgmAA_3d_3dE5ArrayIhLi2E1C7mutable7alignedEx5ArrayIiLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIbLi1E1C7mutable7alignedE5ArrayIiLi1E1C7mutable7alignedE, .Lfunc_end0-_ZN9privboost7kernels5route12leaf_of_rowsB2v1B56c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAK4JJIqUWsIgmAA_3d_3dE5ArrayIhLi2E1C7mutable7alignedEx5ArrayIiLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIbLi1E1C7mutable7alignedE5ArrayIiLi1E1C7mutable7alignedE
	.cfi_endproc

	.globl	_ZN7cpython9privboost7kernels5route12leaf_of_rowsB2v1B56c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAK4JJIqUWsIgmAA_3d_3dE5ArrayIhLi2E1C7mutable7alignedEx5ArrayIiLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIbLi1E1C7mutable7alignedE5ArrayIiLi1E1C7mutable7alignedE
	.p2align	4
	.type	_ZN7cpython9privboost7kernels5route12leaf_of_rowsB2v1B56c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAK4JJIqUWsIgmAA_3d_3dE5ArrayIhLi2E1C7mutable7alignedEx5ArrayIiLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIbLi1E1C7mutable7alignedE5ArrayIiLi1E1C7mutable7alignedE,@function
_ZN7cpython9privboost7kernels5route12leaf_of_rowsB2v1B56c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAK4JJIqUWsIgmAA_3d_3dE5ArrayIhLi2E1C7mutable7alignedEx5ArrayIiLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIbLi1E1C7mutable7alignedE5ArrayIiLi1E1C7mutable7alignedE:
	.cfi_startproc
	pushq	%rbp
	.cfi_def_cfa_offset 16
	pushq	%r15
	.cfi_def_cfa_offset 24
	pushq	%r14
	.cfi_def_cfa_offset 32
	pushq	%r13
	.cfi_def_cfa_offset 40
	pushq	%r12
	.cfi_def_cfa_offset 48
	pushq	%rbx
	.cfi_def_cfa_offset 56
	subq	$744, %rsp
	.cfi_def_cfa_offset 800
	.cfi_offset %rbx, -56
	.cfi_offset %r12, -48
	.cfi_offset %r13, -40
	.cfi_offset %r14, -32
	.cfi_offset %r15, -24
	.cfi_offset %rbp, -16
	movq	%rsi, %rdi
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	leaq	272(%rsp), %r10
	xorl	%ebx, %ebx
	leaq	280(%rsp), %r11
	leaq	288(%rsp), %r14
	leaq	296(%rsp), %r15
	leaq	304(%rsp), %r12
	movabsq	$.const.leaf_of_rows, %rsi
	movabsq	$PyArg_UnpackTuple, %r13
	leaq	320(%rsp), %r8
	leaq	312(%rsp), %r9
	movl	$7, %edx
	movl	$7, %ecx
	xorl	%eax, %eax
	pushq	%r10
	.cfi_adjust_cfa_offset 8
	pushq	%r11
	.cfi_adjust_cfa_offset 8
	pushq	%r14
	.cfi_adjust_cfa_offset 8
	pushq	%r15
	.cfi_adjust_cfa_offset 8
	pushq	%r12
	.cfi_adjust_cfa_offset 8
	callq	*%r13
	addq	$48, %rsp
	.cfi_adjust_cfa_offset -48
	vxorps	%xmm0, %xmm0, %xmm0
	vmovups	%ymm0, 448(%rsp)
	vmovups	%ymm0, 384(%rsp)
	vmovups	%ymm0, 320(%rsp)
	vmovups	%ymm0, 592(%rsp)
	vmovups	%ymm0, 472(%rsp)
	vmovups	%ymm0, 408(%rsp)
	vmovups	%ymm0, 344(%rsp)
	vmovups	%ymm0, 616(%rsp)
	movq	$0, 72(%rsp)
	testl	%eax, %eax
	je	.LBB1_18
	movabsq	$_ZN08NumbaEnv9privboost7kernels5route12leaf_of_rowsB2v1B56c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAK4JJIqUWsIgmAA_3d_3dE5ArrayIhLi2E1C7mutable7alignedEx5ArrayIiLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIbLi1E1C7mutable7alignedE5ArrayIiLi1E1C7mutable7alignedE, %rax
	cmpq	$0, (%rax)
	je	.LBB1_23
	movq	312(%rsp), %rdi
	movabsq	$NRT_adapt_ndarray_from_python, %rax
	leaq	512(%rsp), %rsi
	vmovups	%ymm0, 512(%rsp)
	vmovups	%ymm0, 544(%rsp)
	movq	$0, 576(%rsp)
	movq	%rax, %r15
	vzeroupper
	callq	*%rax
	cmpq	$1, 536(%rsp)
	setne	%cl
	testl	%eax, %eax
	setne	%bl
	orb	%cl, %bl
	cmpb	$1, %bl
	je	.LBB1_25
	testb	%bl, %bl
	jne	.LBB1_26
.LBB1_4:
	movq	560(%rsp), %rcx
	movq	512(%rsp), %rax
	movq	568(%rsp), %rdx
	movq	304(%rsp), %rdi
	movq	520(%rsp), %r14
	movq	528(%rsp), %r12
	movq	544(%rsp), %r13
	movq	552(%rsp), %rbp
	movq	%rcx, 16(%rsp)
	movq	576(%rsp), %rcx
	movq	%rax, 56(%rsp)
	movabsq	$PyNumber_Long, %rax
	movq	%rdx, 8(%rsp)
	movq	%rcx, 256(%rsp)
	callq	*%rax
	testq	%rax, %rax
	je	.LBB1_27
	movq	%rax, %rbx
	movabsq	$PyLong_AsLongLong, %rax
	movq	%rbx, %rdi
	callq	*%rax
	movq	%rax, 48(%rsp)
	movabsq	$Py_DecRef, %rax
	movq	%rbx, %rdi
	callq	*%rax
	movabsq	$PyErr_Occurred, %rax
	callq	*%rax
	testq	%rax, %rax
	jne	.LBB1_36
.LBB1_6:
	movq	296(%rsp), %rdi
	leaq	656(%rsp), %rsi
	vxorps	%xmm0, %xmm0, %xmm0
	vmovups	%ymm0, 656(%rsp)
	vmovups	%ymm0, 680(%rsp)
	vzeroupper
	callq	*%r15
	testl	%eax, %eax
	jne	.LBB1_28
	cmpq	$4, 680(%rsp)
	jne	.LBB1_28
	movq	664(%rsp), %rax
	movq	672(%rsp), %rcx
	movq	688(%rsp), %rdx
	movq	288(%rsp), %rdi
	movq	656(%rsp), %rbx
	leaq	448(%rsp), %rsi
	vxorps	%xmm0, %xmm0, %xmm0
	vmovups	%ymm0, 448(%rsp)
	vmovups	%ymm0, 472(%rsp)
	movq	%rax, 248(%rsp)
	movq	%rcx, 240(%rsp)
	movq	696(%rsp), %rcx
	movq	704(%rsp), %rax
	movq	%rdx, 232(%rsp)
	movq	%rcx, 224(%rsp)
	movq	%rax, 216(%rsp)
	vzeroupper
	callq	*%r15
	testl	%eax, %eax
	jne	.LBB1_29
	cmpq	$1, 472(%rsp)
	jne	.LBB1_29
	movq	448(%rsp), %rax
	movq	456(%rsp), %rdx
	movq	464(%rsp), %rcx
	movq	280(%rsp), %rdi
	leaq	384(%rsp), %rsi
	vxorps	%xmm0, %xmm0, %xmm0
	vmovups	%ymm0, 384(%rsp)
	vmovups	%ymm0, 408(%rsp)
	movq	%rax, 40(%rsp)
	movq	%rdx, 208(%rsp)
	movq	%rcx, 200(%rsp)
	movq	480(%rsp), %rdx
	movq	488(%rsp), %rcx
	movq	496(%rsp), %rax
	movq	%rdx, 192(%rsp)
	movq	%rcx, 184(%rsp)
	movq	%rax, 176(%rsp)
	vzeroupper
	callq	*%r15
	testl	%eax, %eax
	jne	.LBB1_30
	cmpq	$1, 408(%rsp)
	jne	.LBB1_30
	movq	384(%rsp), %rax
	movq	392(%rsp), %rdx
	movq	400(%rsp), %rcx
	movq	272(%rsp), %rdi
	leaq	320(%rsp), %rsi
	vxorps	%xmm0, %xmm0, %xmm0
	vmovups	%ymm0, 320(%rsp)
	vmovups	%ymm0, 344(%rsp)
	movq	%rax, 32(%rsp)
	movq	%rdx, 168(%rsp)
	movq	%rcx, 160(%rsp)
	movq	416(%rsp), %rdx
	movq	424(%rsp), %rcx
	movq	432(%rsp), %rax
	movq	%rdx, 152(%rsp)
	movq	%rcx, 144(%rsp)
	movq	%rax, 136(%rsp)
	vzeroupper
	callq	*%r15
	testl	%eax, %eax
	jne	.LBB1_31
	cmpq	$1, 344(%rsp)
	jne	.LBB1_31
	movq	320(%rsp), %rax
	movq	264(%rsp), %rdi
	movq	%rbp, 104(%rsp)
	movq	%r13, 112(%rsp)
	movq	%r12, 120(%rsp)
	movq	%r14, 128(%rsp)
	movq	328(%rsp), %rbp
	movq	336(%rsp), %r12
	movq	352(%rsp), %r14
	movq	360(%rsp), %r13
	leaq	592(%rsp), %rsi
	vxorps	%xmm0, %xmm0, %xmm0
	vmovups	%ymm0, 592(%rsp)
	vmovups	%ymm0, 616(%rsp)
	movq	%rax, 24(%rsp)
	movq	368(%rsp), %rax
	movq	%rax, 96(%rsp)
	vzeroupper
	callq	*%r15
	testl	%eax, %eax
	jne	.LBB1_32
	cmpq	$4, 616(%rsp)
	jne	.LBB1_32
	vmovaps	624(%rsp), %xmm0
	movq	592(%rsp), %rax
	movq	%rbx, 80(%rsp)
	movq	600(%rsp), %rbx
	movq	640(%rsp), %r15
	movq	%rax, 64(%rsp)
	movabsq	$PyEval_SaveThread, %rax
	vmovaps	%xmm0, 720(%rsp)
	callq	*%rax
	movq	%rax, 88(%rsp)
	subq	$336, %rsp
	.cfi_adjust_cfa_offset 336
	vmovaps	1056(%rsp), %xmm0
	movq	%r15, 320(%rsp)
	leaq	1072(%rsp), %rdi
	leaq	408(%rsp), %rsi
	movl	$1, %r9d
	vmovups	%xmm0, 304(%rsp)
	movq	%r13, 256(%rsp)
	movq	%r14, 248(%rsp)
	movq	%r12, 232(%rsp)
	movq	%rbp, 224(%rsp)
	movq	%rbx, 280(%rsp)
	movq	$4, 296(%rsp)
	movq	$1, 240(%rsp)
	movq	$1, 184(%rsp)
	movq	$1, 128(%rsp)
	movq	$4, 72(%rsp)
	movq	480(%rsp), %rcx
	movq	472(%rsp), %rdx
	movq	432(%rsp), %rax
	movq	360(%rsp), %r13
	movq	368(%rsp), %r12
	movq	376(%rsp), %r15
	movq	416(%rsp), %rbp
	movq	456(%rsp), %r8
	movq	392(%rsp), %r14
	movq	%rcx, 200(%rsp)
	movq	496(%rsp), %rcx
	movq	%rdx, 208(%rsp)
	movq	488(%rsp), %rdx
	movq	%rax, 264(%rsp)
	movabsq	$_ZN9privboost7kernels5route12leaf_of_rowsB2v1B56c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAK4JJIqUWsIgmAA_3d_3dE5ArrayIhLi2E1C7mutable7alignedEx5ArrayIiLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIbLi1E1C7mutable7alignedE5ArrayIiLi1E1C7mutable7alignedE, %rax
	movq	%r13, 216(%rsp)
	movq	%r12, 160(%rsp)
	movq	%r15, 104(%rsp)
	movq	%rbp, 48(%rsp)
	movq	%rcx, 176(%rsp)
	movq	512(%rsp), %rcx
	movq	%rdx, 192(%rsp)
	movq	504(%rsp), %rdx
	movq	%rcx, 152(%rsp)
	movq	528(%rsp), %rcx
	movq	%rdx, 168(%rsp)
	movq	520(%rsp), %rdx
	movq	%rcx, 136(%rsp)
	movq	544(%rsp), %rcx
	movq	%rdx, 144(%rsp)
	movq	536(%rsp), %rdx
	movq	%rcx, 112(%rsp)
	movq	560(%rsp), %rcx
	movq	%rdx, 120(%rsp)
	movq	552(%rsp), %rdx
	movq	%rcx, 88(%rsp)
	movq	576(%rsp), %rcx
	movq	%rdx, 96(%rsp)
	movq	568(%rsp), %rdx
	movq	%rcx, 64(%rsp)
	movq	384(%rsp), %rcx
	movq	%rdx, 80(%rsp)
	movq	584(%rsp), %rdx
	movq	%rcx, 40(%rsp)
	movq	344(%rsp), %rcx
	movq	%rdx, 56(%rsp)
	movq	592(%rsp), %rdx
	movq	%rcx, 24(%rsp)
	movq	352(%rsp), %rcx
	movq	%rdx, 32(%rsp)
	movq	400(%rsp), %rdx
	movq	%rcx, 16(%rsp)
	movq	448(%rsp), %rcx
	movq	%rdx, 272(%rsp)
	movq	440(%rsp), %rdx
	movq	%rcx, (%rsp)
	movq	464(%rsp), %rcx
	movq	%rdx, 8(%rsp)
	movq	%r14, %rdx
	callq	*%rax
	addq	$336, %rsp
	.cfi_adjust_cfa_offset -336
	movq	72(%rsp), %rcx
	movq	88(%rsp), %rdi
	movl	%eax, 16(%rsp)
	movabsq	$PyEval_RestoreThread, %rax
	movq	%rcx, 8(%rsp)
	callq	*%rax
	movabsq	$NRT_decref, %rbx
	movq	%r14, %rdi
	callq	*%rbx
	movq	%rbp, %rdi
	callq	*%rbx
	movq	%r15, %rdi
	callq	*%rbx
	movq	%r12, %rdi
	callq	*%rbx
	movq	%r13, %rdi
	callq	*%rbx
	movq	64(%rsp), %rdi
	callq	*%rbx
	movl	16(%rsp), %eax
	testl	%eax, %eax
	jne	.LBB1_19
	movabsq	$_Py_NoneStruct, %rbx
	movabsq	$Py_IncRef, %rax
	movq	%rbx, %rdi
	callq	*%rax
.LBB1_18:
	movq	%rbx, %rax
	addq	$744, %rsp
	.cfi_def_cfa_offset 56
	popq	%rbx
	.cfi_def_cfa_offset 48
	popq	%r12
	.cfi_def_cfa_offset 40
	popq	%r13
	.cfi_def_cfa_offset 32
	popq	%r14
	.cfi_def_cfa_offset 24
	popq	%r15
	.cfi_def_cfa_offset 16
	popq	%rbp
	.cfi_def_cfa_offset 8
	vzeroupper
	retq
.LBB1_19:
	.cfi_def_cfa_offset 800
	movq	8(%rsp), %r14
	jle	.LBB1_38
	movabsq	$PyErr_Clear, %rax
	callq	*%rax
	movl	8(%r14), %esi
	movq	(%r14), %rdi
	cmpl	$0, 32(%r14)
	jle	.LBB1_41
	movslq	%esi, %rsi
	movabsq	$PyBytes_FromStringAndSize, %rax
	callq	*%rax
	movq	16(%r14), %rdi
	movq	%rax, %rbx
	callq	*24(%r14)
	testq	%rax, %rax
	je	.LBB1_47
	movabsq	$numba_runtime_build_excinfo_struct, %rcx
	movq	%rbx, %rdi
	movq	%rax, %rsi
	callq	*%rcx
	movabsq	$NRT_Free, %r15
	movq	%r14, %rdi
	movq	%rax, %rbx
	callq	*%r15
	jmp	.LBB1_42
.LBB1_23:
	movabsq	$PyExc_RuntimeError, %rdi
	movabsq	$".const.missing Environment: _ZN08NumbaEnv9privboost7kernels5route12leaf_of_rowsB2v1B56c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAK4JJIqUWsIgmAA_3d_3dE5ArrayIhLi2E1C7mutable7alignedEx5ArrayIiLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIbLi1E1C7mutable7alignedE5ArrayIiLi1E1C7mutable7alignedE", %rsi
.LBB1_24:
	movabsq	$PyErr_SetString, %rax
	vzeroupper
	callq	*%rax
	xorl	%ebx, %ebx
	jmp	.LBB1_18
.LBB1_25:
	movabsq	$PyExc_TypeError, %rdi
	movabsq	$".const.can't unbox array from PyObject into native value.  The object maybe of a different type", %rsi
	movabsq	$PyErr_SetString, %rax
	callq	*%rax
	testb	%bl, %bl
	je	.LBB1_4
	jmp	.LBB1_26
.LBB1_27:
	movq	$0, 48(%rsp)
	movabsq	$PyErr_Occurred, %rax
	callq	*%rax
	testq	%rax, %rax
	je	.LBB1_6
	jmp	.LBB1_36
.LBB1_28:
	movabsq	$PyExc_TypeError, %rdi
	movabsq	$".const.can't unbox array from PyObject into native value.  The object maybe of a different type", %rsi
	movabsq	$PyErr_SetString, %rax
	callq	*%rax
	jmp	.LBB1_36
.LBB1_29:
	movabsq	$PyExc_TypeError, %rdi
	movabsq	$".const.can't unbox array from PyObject into native value.  The object maybe of a different type", %rsi
	movabsq	$PyErr_SetString, %rax
	callq	*%rax
	jmp	.LBB1_35
.LBB1_30:
	movabsq	$PyExc_TypeError, %rdi
	movabsq	$".const.can't unbox array from PyObject into native value.  The object maybe of a different type", %rsi
	movabsq	$PyErr_SetString, %rax
	callq	*%rax
	jmp	.LBB1_34
.LBB1_31:
	movabsq	$PyExc_TypeError, %rdi
	movabsq	$".const.can't unbox array from PyObject into native value.  The object maybe of a different type", %rsi
	movabsq	$PyErr_SetString, %rax
	callq	*%rax
	jmp	.LBB1_33
.LBB1_32:
	movabsq	$PyExc_TypeError, %rdi
	movabsq	$".const.can't unbox array from PyObject into native value.  The object maybe of a different type", %rsi
	movabsq	$PyErr_SetString, %rax
	callq	*%rax
	movq	24(%rsp), %rdi
	movabsq	$NRT_decref, %rax
	callq	*%rax
.LBB1_33:
	movq	32(%rsp), %rdi
	movabsq	$NRT_decref, %rax
	callq	*%rax
.LBB1_34:
	movq	40(%rsp), %rdi
	movabsq	$NRT_decref, %rax
	callq	*%rax
.LBB1_35:
	movabsq	$NRT_decref, %rax
	movq	%rbx, %rdi
	callq	*%rax
.LBB1_36:
	movq	56(%rsp), %rdi
	movabsq	$NRT_decref, %rax
.LBB1_37:
	callq	*%rax
	xorl	%ebx, %ebx
	jmp	.LBB1_18
.LBB1_38:
	cmpl	$-3, %eax
	je	.LBB1_44
	cmpl	$-1, %eax
	jne	.LBB1_45
.LBB1_26:
	xorl	%ebx, %ebx
	jmp	.LBB1_18
.LBB1_41:
	movq	16(%r14), %rdx
	movabsq	$numba_unpickle, %rax
	callq	*%rax
	movq	%rax, %rbx
.LBB1_42:
	testq	%rbx, %rbx
	je	.LBB1_26
	movabsq	$numba_do_raise, %rax
	movq	%rbx, %rdi
	jmp	.LBB1_37
.LBB1_44:
	movabsq	$PyExc_StopIteration, %rdi
	movabsq	$PyErr_SetNone, %rax
	jmp	.LBB1_37
.LBB1_45:
	movabsq	$PyExc_SystemError, %rdi
	movabsq	$".const.unknown error when calling native function", %rsi
	jmp	.LBB1_24
.LBB1_47:
	movabsq	$PyExc_RuntimeError, %rdi
	movabsq	$".const.Error creating Python tuple from runtime exception arguments", %rsi
	jmp	.LBB1_24
.Lfunc_end1:
	.size	_ZN7cpython9privboost7kernels5route12leaf_of_rowsB2v1B56c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAK4JJIqUWsIgmAA_3d_3dE5ArrayIhLi2E1C7mutable7alignedEx5ArrayIiLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIbLi1E1C7mutable7alignedE5ArrayIiLi1E1C7mutable7alignedE, .Lfunc_end1-_ZN7cpython9privboost7kernels5route12leaf_of_rowsB2v1B56c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAK4JJIqUWsIgmAA_3d_3dE5ArrayIhLi2E1C7mutable7alignedEx5ArrayIiLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIbLi1E1C7mutable7alignedE5ArrayIiLi1E1C7mutable7alignedE
	.cfi_endproc

	.globl	cfunc._ZN9privboost7kernels5route12leaf_of_rowsB2v1B56c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAK4JJIqUWsIgmAA_3d_3dE5ArrayIhLi2E1C7mutable7alignedEx5ArrayIiLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIbLi1E1C7mutable7alignedE5ArrayIiLi1E1C7mutable7alignedE
	.p2align	4
	.type	cfunc._ZN9privboost7kernels5route12leaf_of_rowsB2v1B56c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAK4JJIqUWsIgmAA_3d_3dE5ArrayIhLi2E1C7mutable7alignedEx5ArrayIiLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIbLi1E1C7mutable7alignedE5ArrayIiLi1E1C7mutable7alignedE,@function
cfunc._ZN9privboost7kernels5route12leaf_of_rowsB2v1B56c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAK4JJIqUWsIgmAA_3d_3dE5ArrayIhLi2E1C7mutable7alignedEx5ArrayIiLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIbLi1E1C7mutable7alignedE5ArrayIiLi1E1C7mutable7alignedE:
	.cfi_startproc
	pushq	%rbp
	.cfi_def_cfa_offset 16
	pushq	%r15
	.cfi_def_cfa_offset 24
	pushq	%r14
	.cfi_def_cfa_offset 32
	pushq	%rbx
	.cfi_def_cfa_offset 40
	subq	$360, %rsp
	.cfi_def_cfa_offset 400
	.cfi_offset %rbx, -40
	.cfi_offset %r14, -32
	.cfi_offset %r15, -24
	.cfi_offset %rbp, -16
	vmovups	424(%rsp), %ymm1
	vmovups	456(%rsp), %ymm2
	vmovups	488(%rsp), %ymm3
	vmovups	520(%rsp), %xmm4
	vmovups	544(%rsp), %ymm5
	vmovaps	576(%rsp), %xmm6
	vmovups	600(%rsp), %ymm7
	vmovups	632(%rsp), %xmm8
	vmovaps	656(%rsp), %xmm9
	vmovups	680(%rsp), %ymm10
	vmovaps	400(%rsp), %xmm0
	movq	%rcx, %r10
	movq	%rdx, %rax
	movq	%rsi, %rcx
	movq	%rdi, %rdx
	movq	416(%rsp), %rsi
	movq	536(%rsp), %rdi
	movq	592(%rsp), %r11
	movq	648(%rsp), %rbx
	movq	$0, 352(%rsp)
	movq	$0, 344(%rsp)
	vmovups	%ymm10, 296(%rsp)
	vmovups	%xmm9, 272(%rsp)
	movq	%rbx, 264(%rsp)
	vmovups	%xmm8, 248(%rsp)
	vmovups	%ymm7, 216(%rsp)
	movq	%r11, 208(%rsp)
	vmovups	%xmm6, 192(%rsp)
	vmovups	%ymm5, 160(%rsp)
	movq	%rdi, 152(%rsp)
	vmovups	%xmm4, 136(%rsp)
	vmovups	%ymm3, 104(%rsp)
	vmovups	%ymm2, 72(%rsp)
	vmovups	%ymm1, 40(%rsp)
	movq	%rsi, 32(%rsp)
	movabsq	$_ZN9privboost7kernels5route12leaf_of_rowsB2v1B56c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAK4JJIqUWsIgmAA_3d_3dE5ArrayIhLi2E1C7mutable7alignedEx5ArrayIiLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIbLi1E1C7mutable7alignedE5ArrayIiLi1E1C7mutable7alignedE, %r11
	leaq	352(%rsp), %rdi
	leaq	344(%rsp), %rsi
	vmovups	%xmm0, 16(%rsp)
	movq	%r9, 8(%rsp)
	movq	%r8, (%rsp)
	movq	%rax, %r8
	movq	%r10, %r9
	vzeroupper
	callq	*%r11
	movl	%eax, %ecx
	movq	344(%rsp), %rbx
	movq	352(%rsp), %rax
	movl	$0, 340(%rsp)
	testl	%ecx, %ecx
	jne	.LBB2_1
.LBB2_8:
	addq	$360, %rsp
	.cfi_def_cfa_offset 40
	popq	%rbx
	.cfi_def_cfa_offset 32
	popq	%r14
	.cfi_def_cfa_offset 24
	popq	%r15
	.cfi_def_cfa_offset 16
	popq	%rbp
	.cfi_def_cfa_offset 8
	retq
.LBB2_1:
	.cfi_def_cfa_offset 400
	movabsq	$numba_gil_ensure, %r14
	leaq	340(%rsp), %rdi
	movq	%rax, %r15
	movl	%ecx, %ebp
	callq	*%r14
	testl	%ebp, %ebp
	jle	.LBB2_9
	movabsq	$PyErr_Clear, %rax
	callq	*%rax
	movl	8(%rbx), %esi
	movq	(%rbx), %rdi
	cmpl	$0, 32(%rbx)
	jle	.LBB2_12
	movslq	%esi, %rsi
	movabsq	$PyBytes_FromStringAndSize, %rax
	callq	*%rax
	movq	16(%rbx), %rdi
	movq	%rax, %r14
	callq	*24(%rbx)
	testq	%rax, %rax
	je	.LBB2_4
	movabsq	$numba_runtime_build_excinfo_struct, %rcx
	movq	%r14, %rdi
	movq	%rax, %rsi
	callq	*%rcx
	movabsq	$NRT_Free, %rbp
	movq	%rbx, %rdi
	movq	%rax, %r14
	callq	*%rbp
	jmp	.LBB2_13
.LBB2_9:
	movl	%ebp, %eax
	cmpl	$-3, %ebp
	je	.LBB2_5
	cmpl	$-1, %eax
	je	.LBB2_7
	movabsq	$PyExc_SystemError, %rdi
	movabsq	$".const.unknown error when calling native function.2", %rsi
	movabsq	$PyErr_SetString, %rax
	callq	*%rax
	jmp	.LBB2_7
.LBB2_12:
	movq	16(%rbx), %rdx
	movabsq	$numba_unpickle, %rax
	callq	*%rax
	movq	%rax, %r14
.LBB2_13:
	testq	%r14, %r14
	je	.LBB2_7
	movabsq	$numba_do_raise, %rax
	movq	%r14, %rdi
.LBB2_6:
	callq	*%rax
.LBB2_7:
	movabsq	$".const.<numba.core.cpu.CPUContext>", %rdi
	movabsq	$PyUnicode_FromString, %rax
	callq	*%rax
	movabsq	$PyErr_WriteUnraisable, %r14
	movq	%rax, %rbx
	movq	%rbx, %rdi
	callq	*%r14
	movabsq	$Py_DecRef, %rax
	movq	%rbx, %rdi
	callq	*%rax
	movabsq	$numba_gil_release, %rax
	leaq	340(%rsp), %rdi
	callq	*%rax
	movq	%r15, %rax
	jmp	.LBB2_8
.LBB2_5:
	movabsq	$PyExc_StopIteration, %rdi
	movabsq	$PyErr_SetNone, %rax
	jmp	.LBB2_6
.LBB2_4:
	movabsq	$PyExc_RuntimeError, %rdi
	movabsq	$".const.Error creating Python tuple from runtime exception arguments.1", %rsi
	movabsq	$PyErr_SetString, %rax
	callq	*%rax
	xorl	%eax, %eax
	jmp	.LBB2_8
.Lfunc_end2:
	.size	cfunc._ZN9privboost7kernels5route12leaf_of_rowsB2v1B56c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAK4JJIqUWsIgmAA_3d_3dE5ArrayIhLi2E1C7mutable7alignedEx5ArrayIiLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIbLi1E1C7mutable7alignedE5ArrayIiLi1E1C7mutable7alignedE, .Lfunc_end2-cfunc._ZN9privboost7kernels5route12leaf_of_rowsB2v1B56c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAK4JJIqUWsIgmAA_3d_3dE5ArrayIhLi2E1C7mutable7alignedEx5ArrayIiLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIbLi1E1C7mutable7alignedE5ArrayIiLi1E1C7mutable7alignedE
	.cfi_endproc

	.weak	NRT_decref
	.p2align	4
	.type	NRT_decref,@function
NRT_decref:
	.cfi_startproc
	testq	%rdi, %rdi
	je	.LBB3_2
	#MEMBARRIER
	lock		decq	(%rdi)
	je	.LBB3_3
.LBB3_2:
	retq
.LBB3_3:
	movabsq	$NRT_MemInfo_call_dtor, %rax
	#MEMBARRIER
	jmpq	*%rax
.Lfunc_end3:
	.size	NRT_decref, .Lfunc_end3-NRT_decref
	.cfi_endproc

	.weak	_ZN9privboost7kernels5route7_leavesB3v10B56c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAK4JJIqUWsIgmAA_3d_3dE5ArrayIhLi2E1C7mutable7alignedExx5ArrayIiLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIbLi1E1C7mutable7alignedE5ArrayIhLi3E1C7mutable7alignedE5ArrayIiLi1E1C7mutable7alignedE
	.p2align	4
	.type	_ZN9privboost7kernels5route7_leavesB3v10B56c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAK4JJIqUWsIgmAA_3d_3dE5ArrayIhLi2E1C7mutable7alignedExx5ArrayIiLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIbLi1E1C7mutable7alignedE5ArrayIhLi3E1C7mutable7alignedE5ArrayIiLi1E1C7mutable7alignedE,@function
_ZN9privboost7kernels5route7_leavesB3v10B56c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAK4JJIqUWsIgmAA_3d_3dE5ArrayIhLi2E1C7mutable7alignedExx5ArrayIiLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIbLi1E1C7mutable7alignedE5ArrayIhLi3E1C7mutable7alignedE5ArrayIiLi1E1C7mutable7alignedE:
	.cfi_startproc
	pushq	%rbp
	.cfi_def_cfa_offset 16
	pushq	%r15
	.cfi_def_cfa_offset 24
	pushq	%r14
	.cfi_def_cfa_offset 32
	pushq	%r13
	.cfi_def_cfa_offset 40
	pushq	%r12
	.cfi_def_cfa_offset 48
	pushq	%rbx
	.cfi_def_cfa_offset 56
	subq	$120, %rsp
	.cfi_def_cfa_offset 176
	.cfi_offset %rbx, -56
	.cfi_offset %r12, -48
	.cfi_offset %r13, -40
	.cfi_offset %r14, -32
	.cfi_offset %r15, -24
	.cfi_offset %rbp, -16
	movq	320(%rsp), %rbx
	movq	272(%rsp), %rbp
	movq	264(%rsp), %r13
	movq	232(%rsp), %r15
	movq	192(%rsp), %r12
	movabsq	$NRT_incref, %r14
	movq	%rdi, 80(%rsp)
	movq	%rdx, %rdi
	movq	%r9, (%rsp)
	movq	%r8, 8(%rsp)
	movq	%rcx, 72(%rsp)
	movq	%rsi, 40(%rsp)
	movq	$0, 96(%rsp)
	movq	$0, 88(%rsp)
	movq	%rdx, 64(%rsp)
	callq	*%r14
	movq	%r15, %rdi
	movq	456(%rsp), %r15
	callq	*%r14
	movq	288(%rsp), %rdi
	callq	*%r14
	movq	344(%rsp), %rdi
	callq	*%r14
	movq	400(%rsp), %rdi
	callq	*%r14
	movq	%r15, %rdi
	callq	*%r14
	movq	544(%rsp), %rdi
	callq	*%r14
	movq	584(%rsp), %r14
	cmpq	$24, %r14
	jl	.LBB4_18
	movq	224(%rsp), %rcx
	movl	$8, %eax
	cmpq	$8, %rcx
	cmovlq	%rcx, %rax
	movq	%rax, 16(%rsp)
	testq	%rcx, %rcx
	jle	.LBB4_19
	movq	504(%rsp), %r11
	movq	496(%rsp), %rcx
	testq	%rcx, %rcx
	jle	.LBB4_66
	xorl	%eax, %eax
	subq	%rax, %rcx
	testq	%r11, %r11
	jle	.LBB4_67
.LBB4_4:
	xorl	%r8d, %r8d
.LBB4_5:
	movq	%r11, %rsi
	subq	%r8, %rsi
	movq	%rcx, %rdx
	sarq	$63, %rdx
	movq	%rax, 32(%rsp)
	movq	%rsi, %rdi
	sarq	$63, %rdi
	cmpq	$0, 512(%rsp)
	jle	.LBB4_68
	xorl	%r9d, %r9d
.LBB4_7:
	andnq	%rcx, %rdx, %r15
	movq	512(%rsp), %rdx
	andnq	%rsi, %rdi, %rax
	movq	%r14, %rsi
	cmpq	%rdx, %r14
	jge	.LBB4_69
.LBB4_8:
	subq	%r9, %rsi
	movq	%r8, %r14
	imulq	%rdx, %r14
	addq	488(%rsp), %r14
	movq	%r8, 56(%rsp)
	movq	%r9, 48(%rsp)
	movq	8(%rsp), %r8
	movq	$0, 104(%rsp)
	leaq	104(%rsp), %rdi
	movq	%rsi, %rcx
	sarq	$63, %rcx
	movq	%rsi, 24(%rsp)
	andnq	%rsi, %rcx, %r10
	movq	%rdx, %rsi
	imulq	%r11, %rsi
	imulq	32(%rsp), %rsi
	movq	64(%rsp), %rdx
	movq	72(%rsp), %rcx
	movq	%rax, %r11
	imulq	%r15, %r11
	addq	%r9, %r14
	movq	(%rsp), %r9
	imulq	%r10, %r11
	addq	%rsi, %r14
	leaq	96(%rsp), %rsi
	pushq	536(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	536(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	536(%rsp)
	.cfi_adjust_cfa_offset 8
	movq	%r10, 24(%rsp)
	pushq	%r10
	.cfi_adjust_cfa_offset 8
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	movq	%r15, 48(%rsp)
	pushq	%r15
	.cfi_adjust_cfa_offset 8
	pushq	%r14
	.cfi_adjust_cfa_offset 8
	pushq	536(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	%r11
	.cfi_adjust_cfa_offset 8
	pushq	536(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	536(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	536(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	536(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	536(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	536(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	536(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	536(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	536(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	536(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	536(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	536(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	536(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	536(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	536(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	536(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	536(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	536(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	%rbx
	.cfi_adjust_cfa_offset 8
	pushq	536(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	536(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	536(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	536(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	536(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	%rbp
	.cfi_adjust_cfa_offset 8
	pushq	%r13
	.cfi_adjust_cfa_offset 8
	pushq	536(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	536(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	536(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	536(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	328(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	536(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	536(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	536(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	%r12
	.cfi_adjust_cfa_offset 8
	pushq	536(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	536(%rsp)
	.cfi_adjust_cfa_offset 8
	movabsq	$_ZN9privboost7kernels5route13_upper_leavesB3v11B56c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAK4JJIqUWsIgmAA_3d_3dE5ArrayIhLi2E1C7mutable7alignedExx5ArrayIiLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIbLi1E1C7mutable7alignedE5ArrayIhLi3E1A7mutable7alignedE, %rax
	callq	*%rax
	addq	$368, %rsp
	.cfi_adjust_cfa_offset -368
	testl	%eax, %eax
	jne	.LBB4_64
	movq	584(%rsp), %r8
	movq	24(%rsp), %r11
	movq	104(%rsp), %r15
	cmpq	%r8, %r11
	sete	%al
	cmpq	$1, %r11
	sete	%cl
	orb	%al, %cl
	je	.LBB4_70
.LBB4_10:
	movq	%r15, %rcx
	sarq	$63, %rcx
	andq	8(%rsp), %rcx
	movq	536(%rsp), %r10
	movq	592(%rsp), %rax
	leaq	-1(%r8), %rdx
	xorl	%edi, %edi
	movq	568(%rsp), %r8
	movq	576(%rsp), %r9
	addq	%r15, %rcx
	imulq	520(%rsp), %rcx
	movq	%rcx, 8(%rsp)
	addq	%rcx, %r14
	movq	(%rsp), %rcx
	leaq	-1(%rcx), %r15
	movq	%r15, %rsi
	imulq	%r10, %rsi
	movq	%rsi, %rcx
	sarq	$63, %rcx
	andnq	%rsi, %rcx, %rcx
	addq	480(%rsp), %rcx
	testq	%rsi, %rsi
	cmovnsq	%rdi, %rsi
	testq	%r11, %r11
	cmovleq	%rdi, %rsi
	cmovleq	%rdi, %rcx
	imulq	%rax, %rdx
	addq	%r14, %rsi
	testq	%rax, %rax
	cmovnsq	%rdx, %rdi
	addq	%r9, %r8
	addq	%rdi, %r8
	cmpq	%r8, %rsi
	jae	.LBB4_12
	sarq	$63, %rax
	addq	%r14, %rcx
	andq	%rdx, %rax
	addq	%r9, %rax
	cmpq	%rcx, %rax
	jb	.LBB4_72
.LBB4_12:
	movabsq	$9223372036854775800, %rcx
	andq	584(%rsp), %rcx
	movl	$3, %eax
	negq	%rcx
	.p2align	4
.LBB4_13:
	leaq	-3(%rax), %rsi
	leaq	4(%rax), %rdx
	cmpq	%r15, %rsi
	cmovaeq	%r15, %rsi
	imulq	%r10, %rsi
	movzbl	(%r14,%rsi), %esi
	movl	%esi, -12(%r9,%rax,4)
	leaq	-2(%rax), %rsi
	cmpq	%r15, %rsi
	cmovaeq	%r15, %rsi
	imulq	%r10, %rsi
	movzbl	(%r14,%rsi), %esi
	movl	%esi, -8(%r9,%rax,4)
	leaq	-1(%rax), %rsi
	cmpq	%r15, %rsi
	cmovaeq	%r15, %rsi
	imulq	%r10, %rsi
	cmpq	%r15, %rax
	movzbl	(%r14,%rsi), %esi
	movl	%esi, -4(%r9,%rax,4)
	movq	%r15, %rsi
	cmovbq	%rax, %rsi
	imulq	%r10, %rsi
	movzbl	(%r14,%rsi), %esi
	movl	%esi, (%r9,%rax,4)
	leaq	1(%rax), %rsi
	cmpq	%r15, %rsi
	cmovaeq	%r15, %rsi
	imulq	%r10, %rsi
	movzbl	(%r14,%rsi), %esi
	movl	%esi, 4(%r9,%rax,4)
	leaq	2(%rax), %rsi
	cmpq	%r15, %rsi
	cmovaeq	%r15, %rsi
	imulq	%r10, %rsi
	movzbl	(%r14,%rsi), %esi
	movl	%esi, 8(%r9,%rax,4)
	leaq	3(%rax), %rsi
	cmpq	%r15, %rsi
	cmovaeq	%r15, %rsi
	imulq	%r10, %rsi
	cmpq	%r15, %rdx
	cmovaeq	%r15, %rdx
	imulq	%r10, %rdx
	movzbl	(%r14,%rsi), %esi
	movl	%esi, 12(%r9,%rax,4)
	leaq	8(%rcx,%rax), %rsi
	movzbl	(%r14,%rdx), %edx
	movl	%edx, 16(%r9,%rax,4)
	addq	$8, %rax
	cmpq	$3, %rsi
	jne	.LBB4_13
	movq	584(%rsp), %rcx
	andq	$7, %rcx
	je	.LBB4_17
	addq	$-3, %rax
.LBB4_16:
	cmpq	%r15, %rax
	movq	%r15, %rdx
	cmovbq	%rax, %rdx
	imulq	%r10, %rdx
	movzbl	(%r14,%rdx), %edx
	movl	%edx, (%r9,%rax,4)
	incq	%rax
	decq	%rcx
	jne	.LBB4_16
.LBB4_17:
	movq	456(%rsp), %rdi
	movabsq	$NRT_decref, %rax
	callq	*%rax
	movq	584(%rsp), %r14
	jmp	.LBB4_21
.LBB4_18:
	movabsq	$NRT_decref, %rax
	movq	%r15, %rdi
	callq	*%rax
	movq	$0, 16(%rsp)
	testq	%r14, %r14
	jg	.LBB4_20
	jmp	.LBB4_21
.LBB4_19:
	movabsq	$NRT_decref, %rax
	movq	%r15, %rdi
	callq	*%rax
.LBB4_20:
	movq	576(%rsp), %rdi
	leaq	(,%r14,4), %rdx
	movabsq	$memset, %rax
	xorl	%esi, %esi
	callq	*%rax
.LBB4_21:
	movq	224(%rsp), %r15
	subq	16(%rsp), %r15
	jle	.LBB4_60
	testq	%r14, %r14
	jle	.LBB4_60
	movq	16(%rsp), %r14
	movabsq	$exp2, %rax
	vcvtsi2sd	%r14, %xmm15, %xmm0
	callq	*%rax
	movq	224(%rsp), %rcx
	vmovsd	%xmm0, (%rsp)
	leaq	-1(%r14), %rax
	movq	%rax, 72(%rsp)
	movabsq	$exp2, %rax
	vcvtsi2sd	%rcx, %xmm15, %xmm0
	callq	*%rax
	vcvttsd2si	(%rsp), %rdx
	movq	224(%rsp), %r8
	cmpq	$65537, %r14
	movl	$1, %ecx
	movq	576(%rsp), %rax
	movq	%r8, %rsi
	cmovbq	%rcx, %rdx
	subq	$65537, %rsi
	movq	%rsi, (%rsp)
	vcvttsd2si	%xmm0, %rsi
	movq	%rdx, 8(%rsp)
	cmovbq	%rcx, %rsi
	xorl	%edi, %edi
	testq	%r8, %r8
	cmovsq	%rdi, %rsi
	jmp	.LBB4_25
	.p2align	4
.LBB4_24:
	movq	576(%rsp), %rax
	subl	%r8d, %r9d
	incl	%r9d
	movl	%r9d, (%rax,%rdi,4)
	incq	%rdi
	cmpq	584(%rsp), %rdi
	je	.LBB4_60
.LBB4_25:
	movslq	(%rax,%rdi,4), %r9
	cmpq	$0, 16(%rsp)
	js	.LBB4_29
	movq	8(%rsp), %r10
	je	.LBB4_31
	movq	16(%rsp), %r11
	movl	$2, %r8d
	movl	$1, %r10d
	.p2align	4
.LBB4_28:
	testb	$1, %r11b
	movq	%r8, %r14
	cmoveq	%rcx, %r14
	imulq	%r8, %r8
	shrq	%r11
	imulq	%r14, %r10
	testq	%r11, %r11
	jne	.LBB4_28
	jmp	.LBB4_31
	.p2align	4
.LBB4_29:
	cmpq	$0, 72(%rsp)
	jns	.LBB4_62
	xorl	%r10d, %r10d
.LBB4_31:
	movq	216(%rsp), %rax
	movq	176(%rsp), %rdx
	leaq	-1(%r9,%r10), %r9
	leaq	(%rdi,%rax), %r8
	leaq	(%rdx,%r8), %r11
	sarq	$63, %r8
	andq	%r12, %r8
	addq	%r11, %r8
	testb	$1, %r15b
	jne	.LBB4_33
	movq	%r15, %r10
	cmpq	$1, %r15
	je	.LBB4_41
	jmp	.LBB4_44
	.p2align	4
.LBB4_33:
	movq	%r9, %r10
	sarq	$63, %r10
	leaq	(%r13,%r9,4), %r14
	movq	%r10, %r11
	andq	%rbp, %r11
	movslq	(%r14,%r11,4), %r11
	testq	%r11, %r11
	js	.LBB4_37
	imulq	%r12, %r11
	movzbl	(%r8,%r11), %r11d
	testb	%r11b, %r11b
	je	.LBB4_38
	movq	%r10, %r14
	andq	328(%rsp), %r14
	leaq	(%rbx,%r9), %rax
	cmpb	%r11b, (%r14,%rax)
	jbe	.LBB4_39
.LBB4_37:
	xorl	%r10d, %r10d
	jmp	.LBB4_40
.LBB4_38:
	movq	432(%rsp), %rax
	andq	440(%rsp), %r10
	addq	%r9, %rax
	cmpb	$0, (%r10,%rax)
	setne	%r10b
	jmp	.LBB4_40
.LBB4_39:
	movq	376(%rsp), %rax
	andq	384(%rsp), %r10
	addq	%r9, %rax
	cmpb	(%r10,%rax), %r11b
	setbe	%r10b
	.p2align	4
.LBB4_40:
	movzbl	%r10b, %eax
	leaq	-1(%r15), %r10
	leaq	1(%rax,%r9,2), %r9
	cmpq	$1, %r15
	jne	.LBB4_44
.LBB4_41:
	cmpq	$-65536, (%rsp)
	movq	%rsi, %r8
	jb	.LBB4_24
	movq	224(%rsp), %r11
	movl	$2, %r10d
	movl	$1, %r8d
	.p2align	4
.LBB4_43:
	testb	$1, %r11b
	movq	%r10, %rax
	cmoveq	%rcx, %rax
	imulq	%r10, %r10
	shrq	%r11
	imulq	%rax, %r8
	testq	%r11, %r11
	jne	.LBB4_43
	jmp	.LBB4_24
	.p2align	4
.LBB4_44:
	addq	$2, %r10
	jmp	.LBB4_47
	.p2align	4
.LBB4_45:
	xorl	%r11d, %r11d
.LBB4_46:
	movzbl	%r11b, %eax
	addq	$-2, %r10
	leaq	1(%rax,%r9,2), %r9
	cmpq	$2, %r10
	jle	.LBB4_41
.LBB4_47:
	movq	%r9, %r11
	sarq	$63, %r11
	leaq	(%r13,%r9,4), %r14
	movq	%r11, %rax
	andq	%rbp, %rax
	movslq	(%r14,%rax,4), %r14
	testq	%r14, %r14
	js	.LBB4_51
	imulq	%r12, %r14
	movzbl	(%r8,%r14), %r14d
	testb	%r14b, %r14b
	je	.LBB4_52
	movq	%r11, %rax
	andq	328(%rsp), %rax
	leaq	(%rbx,%r9), %rdx
	cmpb	%r14b, (%rax,%rdx)
	jbe	.LBB4_53
.LBB4_51:
	xorl	%r11d, %r11d
	jmp	.LBB4_54
	.p2align	4
.LBB4_52:
	movq	432(%rsp), %rax
	andq	440(%rsp), %r11
	addq	%r9, %rax
	cmpb	$0, (%r11,%rax)
	setne	%r11b
	jmp	.LBB4_54
.LBB4_53:
	movq	376(%rsp), %rax
	andq	384(%rsp), %r11
	addq	%r9, %rax
	cmpb	(%r11,%rax), %r14b
	setbe	%r11b
	.p2align	4
.LBB4_54:
	movzbl	%r11b, %eax
	leaq	(%rax,%r9,2), %rdx
	leaq	1(%rax,%r9,2), %r9
	movq	%r9, %r11
	sarq	$63, %r11
	leaq	4(%r13,%rdx,4), %rdx
	movq	%r11, %rax
	andq	%rbp, %rax
	movslq	(%rdx,%rax,4), %r14
	testq	%r14, %r14
	js	.LBB4_45
	imulq	%r12, %r14
	movzbl	(%r8,%r14), %r14d
	testb	%r14b, %r14b
	je	.LBB4_58
	movq	%r11, %rax
	andq	328(%rsp), %rax
	leaq	(%rbx,%r9), %rdx
	cmpb	%r14b, (%rax,%rdx)
	ja	.LBB4_45
	movq	376(%rsp), %rax
	andq	384(%rsp), %r11
	addq	%r9, %rax
	cmpb	(%r11,%rax), %r14b
	setbe	%r11b
	jmp	.LBB4_46
	.p2align	4
.LBB4_58:
	movq	432(%rsp), %rax
	andq	440(%rsp), %r11
	addq	%r9, %rax
	cmpb	$0, (%r11,%rax)
	setne	%r11b
	jmp	.LBB4_46
.LBB4_60:
	movq	544(%rsp), %rdi
	movabsq	$NRT_decref, %rbx
	callq	*%rbx
	movq	400(%rsp), %rdi
	callq	*%rbx
	movq	344(%rsp), %rdi
	callq	*%rbx
	movq	288(%rsp), %rdi
	callq	*%rbx
	movq	64(%rsp), %rdi
	callq	*%rbx
	movq	232(%rsp), %rdi
	callq	*%rbx
	movq	80(%rsp), %rax
	movq	$0, (%rax)
	xorl	%eax, %eax
.LBB4_61:
	addq	$120, %rsp
	.cfi_def_cfa_offset 56
	popq	%rbx
	.cfi_def_cfa_offset 48
	popq	%r12
	.cfi_def_cfa_offset 40
	popq	%r13
	.cfi_def_cfa_offset 32
	popq	%r14
	.cfi_def_cfa_offset 24
	popq	%r15
	.cfi_def_cfa_offset 16
	popq	%rbp
	.cfi_def_cfa_offset 8
	retq
.LBB4_62:
	.cfi_def_cfa_offset 176
	movabsq	$.const.picklebuf.8928cf367dcdb5b06f67cce68474c0d77d61c7bd, %rax
.LBB4_63:
	movq	40(%rsp), %rcx
	movq	%rax, (%rcx)
	movl	$1, %eax
	jmp	.LBB4_61
.LBB4_64:
	movq	96(%rsp), %rcx
.LBB4_65:
	movq	40(%rsp), %rdx
	movq	%rcx, (%rdx)
	jmp	.LBB4_61
.LBB4_66:
	movq	%rcx, %rax
	subq	%rax, %rcx
	testq	%r11, %r11
	jg	.LBB4_4
.LBB4_67:
	movq	%r11, %r8
	jmp	.LBB4_5
.LBB4_68:
	movq	512(%rsp), %r9
	jmp	.LBB4_7
.LBB4_69:
	movq	%rdx, %rsi
	jmp	.LBB4_8
.LBB4_70:
	movq	(%rsp), %rdx
	movabsq	$_ZN5numba2np8arrayobj31ol_raise_with_shape_context_cpu12_3clocals_3e4implB3v15B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAw4hWqFpgsIBZmgA_3dE8UniTupleIxLi1EE8UniTupleIxLi1EE, %rax
	leaq	112(%rsp), %rdi
	leaq	88(%rsp), %rsi
	movq	%r8, %rcx
	callq	*%rax
	movq	584(%rsp), %r8
	movq	24(%rsp), %r11
	testl	%eax, %eax
	je	.LBB4_10
	movq	88(%rsp), %rcx
	jmp	.LBB4_65
.LBB4_72:
	movq	(%rsp), %rdi
	movabsq	$NRT_Allocate, %rax
	imulq	480(%rsp), %rdi
	callq	*%rax
	testq	%rax, %rax
	je	.LBB4_90
	movq	24(%rsp), %r11
	movq	584(%rsp), %rdi
	movq	536(%rsp), %r8
	movq	56(%rsp), %r9
	movq	488(%rsp), %r10
	movq	8(%rsp), %r14
	testq	%r11, %r11
	jle	.LBB4_85
	cmpq	$8, %r11
	setae	%cl
	cmpq	$1, %r8
	sete	%dl
	testb	%dl, %cl
	je	.LBB4_77
	cmpq	$127, %r11
	ja	.LBB4_78
	movq	32(%rsp), %rcx
	xorl	%esi, %esi
	imulq	504(%rsp), %rcx
	addq	%rcx, %r9
	imulq	512(%rsp), %r9
	jmp	.LBB4_82
.LBB4_77:
	movq	32(%rsp), %rcx
	xorl	%esi, %esi
	imulq	504(%rsp), %rcx
	addq	%rcx, %r9
	imulq	512(%rsp), %r9
	jmp	.LBB4_83
.LBB4_78:
	movabsq	$9223372036854775800, %rcx
	xorl	%edx, %edx
	leaq	-120(%rcx), %rsi
	movq	32(%rsp), %rcx
	imulq	504(%rsp), %rcx
	andq	%r11, %rsi
	addq	%rcx, %r9
	movq	48(%rsp), %rcx
	imulq	512(%rsp), %r9
	addq	%r10, %rcx
	addq	%r14, %rcx
	leaq	96(%r9,%rcx), %rcx
.LBB4_79:
	vmovdqu	-96(%rcx,%rdx), %ymm0
	vmovups	-64(%rcx,%rdx), %ymm1
	vmovups	-32(%rcx,%rdx), %ymm2
	vmovups	(%rcx,%rdx), %ymm3
	vmovdqu	%ymm0, (%rax,%rdx)
	vmovups	%ymm1, 32(%rax,%rdx)
	vmovups	%ymm2, 64(%rax,%rdx)
	vmovups	%ymm3, 96(%rax,%rdx)
	subq	$-128, %rdx
	cmpq	%rdx, %rsi
	jne	.LBB4_79
	cmpq	%rsi, %r11
	je	.LBB4_85
	testb	$120, %r11b
	je	.LBB4_83
.LBB4_82:
	movabsq	$9223372036854775800, %rcx
	movq	%r11, %r14
	movq	%rax, %rdi
	addq	%rsi, %rdi
	movq	%r9, 56(%rsp)
	movq	%rax, (%rsp)
	andq	%rcx, %r14
	movabsq	$memcpy, %rcx
	movq	%r14, %rdx
	subq	%rsi, %rdx
	addq	%r10, %rsi
	addq	48(%rsp), %rsi
	addq	8(%rsp), %rsi
	addq	%r9, %rsi
	vzeroupper
	callq	*%rcx
	movq	24(%rsp), %r11
	movq	488(%rsp), %r10
	movq	56(%rsp), %r9
	movq	536(%rsp), %r8
	movq	(%rsp), %rax
	movq	%r14, %rsi
	movq	584(%rsp), %rdi
	cmpq	%r14, %r11
	movq	8(%rsp), %r14
	je	.LBB4_85
.LBB4_83:
	addq	48(%rsp), %r10
	movq	%rsi, %rcx
	imulq	%r8, %rcx
	addq	%r9, %r14
	addq	%rcx, %r10
	addq	%r10, %r14
.LBB4_84:
	movzbl	(%r14), %ecx
	addq	%r8, %r14
	movb	%cl, (%rax,%rsi)
	incq	%rsi
	cmpq	%rsi, %r11
	jne	.LBB4_84
.LBB4_85:
	movabsq	$9223372036854775800, %rcx
	movq	%rdi, %rdx
	andq	%rcx, %rdx
	andq	%rdi, %rcx
	movq	%rdx, 8(%rsp)
	xorl	%edx, %edx
	movq	%rcx, (%rsp)
.LBB4_86:
	cmpq	%r15, %rdx
	movq	%r15, %rcx
	leaq	1(%rdx), %rdi
	leaq	2(%rdx), %r8
	leaq	3(%rdx), %r9
	leaq	4(%rdx), %r10
	leaq	5(%rdx), %r11
	leaq	6(%rdx), %r14
	leaq	7(%rdx), %rsi
	cmovbq	%rdx, %rcx
	cmpq	%r15, %rdi
	movzbl	(%rax,%rcx), %ecx
	cmovaeq	%r15, %rdi
	cmpq	%r15, %r8
	cmovaeq	%r15, %r8
	cmpq	%r15, %r9
	cmovaeq	%r15, %r9
	cmpq	%r15, %r10
	cmovaeq	%r15, %r10
	cmpq	%r15, %r11
	cmovaeq	%r15, %r11
	cmpq	%r15, %r14
	vmovd	%ecx, %xmm0
	vpinsrb	$1, (%rax,%rdi), %xmm0, %xmm0
	cmovaeq	%r15, %r14
	cmpq	%r15, %rsi
	movq	576(%rsp), %rdi
	movq	(%rsp), %rcx
	cmovaeq	%r15, %rsi
	vpinsrb	$2, (%rax,%r8), %xmm0, %xmm0
	vpinsrb	$3, (%rax,%r9), %xmm0, %xmm0
	vpinsrb	$4, (%rax,%r10), %xmm0, %xmm0
	vpinsrb	$5, (%rax,%r11), %xmm0, %xmm0
	vpinsrb	$6, (%rax,%r14), %xmm0, %xmm0
	vpinsrb	$7, (%rax,%rsi), %xmm0, %xmm0
	vpmovzxbd	%xmm0, %ymm0
	vmovdqu	%ymm0, (%rdi,%rdx,4)
	addq	$8, %rdx
	cmpq	%rdx, %rcx
	jne	.LBB4_86
	movq	584(%rsp), %rdx
	movq	8(%rsp), %rsi
	cmpq	%rsi, %rdx
	je	.LBB4_89
.LBB4_88:
	cmpq	%r15, %rsi
	movq	%r15, %rcx
	cmovbq	%rsi, %rcx
	movzbl	(%rax,%rcx), %ecx
	movl	%ecx, (%rdi,%rsi,4)
	incq	%rsi
	cmpq	%rsi, %rdx
	jne	.LBB4_88
.LBB4_89:
	movabsq	$NRT_Free, %rcx
	movq	%rax, %rdi
	vzeroupper
	callq	*%rcx
	jmp	.LBB4_17
.LBB4_90:
	movabsq	$.const.picklebuf.ba289d81f05c7020f3477c15734804df65abe209.13, %rax
	jmp	.LBB4_63
.Lfunc_end4:
	.size	_ZN9privboost7kernels5route7_leavesB3v10B56c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAK4JJIqUWsIgmAA_3d_3dE5ArrayIhLi2E1C7mutable7alignedExx5ArrayIiLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIbLi1E1C7mutable7alignedE5ArrayIhLi3E1C7mutable7alignedE5ArrayIiLi1E1C7mutable7alignedE, .Lfunc_end4-_ZN9privboost7kernels5route7_leavesB3v10B56c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAK4JJIqUWsIgmAA_3d_3dE5ArrayIhLi2E1C7mutable7alignedExx5ArrayIiLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIbLi1E1C7mutable7alignedE5ArrayIhLi3E1C7mutable7alignedE5ArrayIiLi1E1C7mutable7alignedE
	.cfi_endproc

	.weak	NRT_incref
	.p2align	4
	.type	NRT_incref,@function
NRT_incref:
	testq	%rdi, %rdi
	je	.LBB5_2
	lock		incq	(%rdi)
.LBB5_2:
	retq
.Lfunc_end5:
	.size	NRT_incref, .Lfunc_end5-NRT_incref

	.section	.rodata.cst32,"aM",@progbits,32
	.p2align	5, 0x0
.LCPI6_0:
	.zero	32,1
.LCPI6_1:
	.zero	32,3
	.section	.rodata.cst16,"aM",@progbits,16
	.p2align	4, 0x0
.LCPI6_2:
	.byte	3
	.byte	3
	.byte	3
	.byte	3
	.byte	3
	.byte	3
	.byte	3
	.byte	3
	.zero	1
	.zero	1
	.zero	1
	.zero	1
	.zero	1
	.zero	1
	.zero	1
	.zero	1
	.section	.ltext,"axl",@progbits
	.weak	_ZN9privboost7kernels5route13_upper_leavesB3v11B56c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAK4JJIqUWsIgmAA_3d_3dE5ArrayIhLi2E1C7mutable7alignedExx5ArrayIiLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIbLi1E1C7mutable7alignedE5ArrayIhLi3E1A7mutable7alignedE
	.p2align	4
	.type	_ZN9privboost7kernels5route13_upper_leavesB3v11B56c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAK4JJIqUWsIgmAA_3d_3dE5ArrayIhLi2E1C7mutable7alignedExx5ArrayIiLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIbLi1E1C7mutable7alignedE5ArrayIhLi3E1A7mutable7alignedE,@function
_ZN9privboost7kernels5route13_upper_leavesB3v11B56c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAK4JJIqUWsIgmAA_3d_3dE5ArrayIhLi2E1C7mutable7alignedExx5ArrayIiLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIbLi1E1C7mutable7alignedE5ArrayIhLi3E1A7mutable7alignedE:
	.cfi_startproc
	pushq	%rbp
	.cfi_def_cfa_offset 16
	pushq	%r15
	.cfi_def_cfa_offset 24
	pushq	%r14
	.cfi_def_cfa_offset 32
	pushq	%r13
	.cfi_def_cfa_offset 40
	pushq	%r12
	.cfi_def_cfa_offset 48
	pushq	%rbx
	.cfi_def_cfa_offset 56
	subq	$520, %rsp
	.cfi_def_cfa_offset 576
	.cfi_offset %rbx, -56
	.cfi_offset %r12, -48
	.cfi_offset %r13, -40
	.cfi_offset %r14, -32
	.cfi_offset %r15, -24
	.cfi_offset %rbp, -16
	movq	928(%rsp), %r12
	movq	856(%rsp), %r14
	movq	632(%rsp), %r15
	movq	624(%rsp), %r13
	movq	904(%rsp), %rbx
	movabsq	$NRT_incref, %rbp
	movq	%rdi, 360(%rsp)
	movq	%rdx, %rdi
	movq	%rsi, 144(%rsp)
	movq	%rdx, 352(%rsp)
	callq	*%rbp
	movq	%r15, %rdi
	callq	*%rbp
	movq	688(%rsp), %rdi
	callq	*%rbp
	movq	744(%rsp), %rdi
	callq	*%rbp
	movq	800(%rsp), %rdi
	callq	*%rbp
	movq	%r14, %rdi
	callq	*%rbp
	movq	888(%rsp), %r15
	decq	%rbx
	movq	%r14, %rdi
	imulq	%r12, %rbx
	addq	%r15, %rbx
	movq	%rbx, 440(%rsp)
	callq	*%rbp
	movq	616(%rsp), %rcx
	movq	912(%rsp), %rdx
	addq	$-2, %r13
	movq	%r13, 448(%rsp)
	movq	%rcx, %rax
	sarq	$63, %rax
	andq	592(%rsp), %rax
	movq	%rdx, %rsi
	negq	%rsi
	movq	%rsi, 272(%rsp)
	addq	%rcx, %rax
	leaq	(%r15,%rdx), %rcx
	movq	%rcx, 400(%rsp)
	leaq	(%r15,%r12), %rcx
	movq	%rax, 432(%rsp)
	leaq	(,%r12,4), %rax
	movq	%rcx, 392(%rsp)
	leaq	(%r15,%r12,2), %rcx
	movq	%rax, 280(%rsp)
	orq	%r12, %rax
	movq	%rcx, 384(%rsp)
	leaq	(%r12,%r12,2), %rcx
	movq	%rax, 368(%rsp)
	movabsq	$9223372036854775776, %rax
	movq	800(%rsp), %r12
	addq	%r15, %rcx
	movq	%rcx, 376(%rsp)
	movq	%rdx, %rcx
	andq	%rax, %rcx
	orq	$24, %rax
	andq	%rdx, %rax
	movabsq	$.LCPI6_2, %rdx
	movq	%rcx, 88(%rsp)
	xorl	%ecx, %ecx
	vmovapd	(%rdx), %xmm0
	movq	%rax, 240(%rsp)
	movq	936(%rsp), %rax
	addq	%rax, %rax
	movq	%rax, 296(%rsp)
	vmovapd	%xmm0, 480(%rsp)
	jmp	.LBB6_2
	.p2align	4
.LBB6_1:
	movabsq	$NRT_decref, %rax
	movq	%r14, %rdi
	vzeroupper
	callq	*%rax
	movq	256(%rsp), %rcx
	movabsq	$NRT_incref, %rbp
	testq	%r13, %r13
	leaq	-2(%r13), %r13
	jle	.LBB6_114
.LBB6_2:
	movq	%rcx, 248(%rsp)
	xorq	$1, %rcx
	movq	%r14, %rdi
	movq	%rcx, 256(%rsp)
	callq	*%rbp
	movq	%r13, %rax
	sarq	$63, %rax
	andnq	%r13, %rax, %rax
	cmpq	$65537, %r13
	jl	.LBB6_4
	vxorps	%xmm5, %xmm5, %xmm5
	vcvtsi2sd	%rax, %xmm5, %xmm0
	movabsq	$exp2, %rax
	callq	*%rax
	vcvttsd2si	%xmm0, %r15
	jmp	.LBB6_7
	.p2align	4
.LBB6_4:
	testq	%r13, %r13
	jle	.LBB6_8
	movl	$2, %ecx
	movl	$1, %r15d
	movl	$1, %esi
	.p2align	4
.LBB6_6:
	testb	$1, %al
	movq	%rcx, %rdx
	cmoveq	%rsi, %rdx
	imulq	%rcx, %rcx
	shrq	%rax
	imulq	%rdx, %r15
	testq	%rax, %rax
	jne	.LBB6_6
.LBB6_7:
	testq	%r15, %r15
	jg	.LBB6_9
	jmp	.LBB6_1
.LBB6_8:
	movl	$1, %r15d
.LBB6_9:
	movq	256(%rsp), %rbx
	movq	920(%rsp), %rax
	movq	928(%rsp), %rbp
	movq	248(%rsp), %r14
	movq	888(%rsp), %rcx
	vxorps	%xmm5, %xmm5, %xmm5
	vcvtsi2sd	%r13, %xmm5, %xmm0
	movq	%r15, 456(%rsp)
	imulq	%rax, %rbx
	testq	%rbp, %rbp
	sets	48(%rsp)
	cmpq	$0, 368(%rsp)
	leaq	(%rcx,%rbx), %rdx
	movq	%rdx, 264(%rsp)
	sets	12(%rsp)
	imulq	%rax, %r14
	leaq	(%rcx,%r14), %rax
	movq	%rax, 152(%rsp)
	movabsq	$exp2, %rax
	callq	*%rax
	movq	%r13, %rax
	subq	$65537, %rax
	vcvttsd2si	%xmm0, %rcx
	movq	400(%rsp), %rdx
	leaq	-3(,%r15,4), %rsi
	leaq	-2(,%r15,4), %rdi
	movq	152(%rsp), %r11
	movq	264(%rsp), %r10
	movq	$0, 80(%rsp)
	movq	%r13, 288(%rsp)
	movq	%rax, 424(%rsp)
	movl	$1, %eax
	cmovbq	%rax, %rcx
	leaq	-1(%r15), %rax
	imulq	%rbp, %rsi
	imulq	%rbp, %rdi
	movq	%rcx, 416(%rsp)
	movq	%rax, %rcx
	imulq	%rbp, %rcx
	imulq	280(%rsp), %rax
	addq	%rdx, %r14
	addq	%rbx, %rdx
	addq	%rcx, %r14
	movq	392(%rsp), %rcx
	addq	%rdx, %rsi
	addq	%rdx, %rdi
	movq	%r14, 408(%rsp)
	addq	%rdx, %rax
	leaq	(%rcx,%rbx), %r8
	leaq	-1(,%r15,4), %rcx
	imulq	%rbp, %rcx
	movq	848(%rsp), %rbp
	addq	%rdx, %rcx
	movq	384(%rsp), %rdx
	leaq	(%rdx,%rbx), %r9
	addq	376(%rsp), %rbx
	cmpq	%rax, %r11
	setb	%al
	cmpq	%r14, %r10
	setb	%dl
	andb	%al, %dl
	cmpq	%rsi, %r11
	setb	%al
	cmpq	%r14, %r8
	setb	%sil
	movq	%rbx, 96(%rsp)
	andb	%al, %sil
	orb	%dl, %sil
	cmpq	%rdi, %r11
	setb	%al
	cmpq	%r14, %r9
	setb	%dl
	andb	%al, %dl
	orb	12(%rsp), %dl
	orb	%sil, %dl
	cmpq	%rcx, %r11
	setb	%al
	cmpq	%r14, %rbx
	movq	%r10, %rbx
	setb	%cl
	andb	%al, %cl
	orb	48(%rsp), %cl
	orb	%dl, %cl
	movb	%cl, 47(%rsp)
	movq	%r11, %rcx
	jmp	.LBB6_11
	.p2align	4
.LBB6_10:
	movq	280(%rsp), %rax
	movq	80(%rsp), %rdx
	movq	72(%rsp), %rcx
	movq	112(%rsp), %r9
	movq	120(%rsp), %r8
	movq	104(%rsp), %rbx
	movq	856(%rsp), %r14
	movq	800(%rsp), %r12
	movq	848(%rsp), %rbp
	movq	288(%rsp), %r13
	addq	928(%rsp), %rcx
	addq	%rax, 96(%rsp)
	incq	%rdx
	addq	%rax, %r9
	addq	%rax, %r8
	addq	%rax, %rbx
	movq	%rdx, 80(%rsp)
	cmpq	%rdx, 456(%rsp)
	je	.LBB6_1
.LBB6_11:
	movq	%rcx, 72(%rsp)
	movq	%r9, 112(%rsp)
	movq	%r8, 120(%rsp)
	testq	%r13, %r13
	js	.LBB6_16
	movq	416(%rsp), %rax
	cmpq	$-65536, 424(%rsp)
	movq	936(%rsp), %r14
	movl	$1, %edi
	jb	.LBB6_15
	movl	$2, %ecx
	movl	$1, %eax
	.p2align	4
.LBB6_14:
	testb	$1, %r13b
	movq	%rcx, %rsi
	cmoveq	%rdi, %rsi
	imulq	%rcx, %rcx
	shrq	%r13
	imulq	%rsi, %rax
	testq	%r13, %r13
	jne	.LBB6_14
.LBB6_15:
	movq	80(%rsp), %rcx
	leaq	-1(%rcx,%rax), %r13
	jmp	.LBB6_17
	.p2align	4
.LBB6_16:
	movq	936(%rsp), %r14
	movq	$-1, %r13
.LBB6_17:
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	movq	640(%rsp), %rcx
	movq	648(%rsp), %r8
	movq	656(%rsp), %r9
	leaq	344(%rsp), %rdi
	leaq	520(%rsp), %rsi
	movq	%r13, %rdx
	pushq	%rbp
	.cfi_adjust_cfa_offset 8
	pushq	856(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	856(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	856(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	856(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	856(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	%r12
	.cfi_adjust_cfa_offset 8
	pushq	856(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	856(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	856(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	856(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	856(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	856(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	856(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	856(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	856(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	856(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	856(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	856(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	856(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	856(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	856(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	856(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	856(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	856(%rsp)
	.cfi_adjust_cfa_offset 8
	movabsq	$_ZN9privboost7kernels5route6_rangeB3v12B56c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAK4JJIqUWsIgmAA_3d_3dEx5ArrayIiLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIbLi1E1C7mutable7alignedE, %rax
	vzeroupper
	callq	*%rax
	addq	$208, %rsp
	.cfi_adjust_cfa_offset -208
	movzbl	344(%rsp), %ecx
	movq	336(%rsp), %r15
	movl	%ecx, 12(%rsp)
	movzbl	345(%rsp), %ecx
	movl	%ecx, 40(%rsp)
	movzbl	346(%rsp), %ecx
	movl	%ecx, 36(%rsp)
	cmpl	$-2, %eax
	je	.LBB6_19
	testl	%eax, %eax
	jne	.LBB6_112
.LBB6_19:
	leaq	1(%r13,%r13), %rax
	testq	%r13, %r13
	movl	$0, %edx
	movq	%rbx, 104(%rsp)
	cmovnsq	%rax, %rdx
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	movq	640(%rsp), %rcx
	movq	648(%rsp), %r8
	movq	656(%rsp), %r9
	leaq	328(%rsp), %rdi
	leaq	512(%rsp), %rsi
	pushq	%rbp
	.cfi_adjust_cfa_offset 8
	pushq	856(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	856(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	856(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	856(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	856(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	%r12
	.cfi_adjust_cfa_offset 8
	pushq	856(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	856(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	856(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	856(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	856(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	856(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	856(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	856(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	856(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	856(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	856(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	856(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	856(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	856(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	856(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	856(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	856(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	856(%rsp)
	.cfi_adjust_cfa_offset 8
	movabsq	$_ZN9privboost7kernels5route6_rangeB3v12B56c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAK4JJIqUWsIgmAA_3d_3dEx5ArrayIiLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIbLi1E1C7mutable7alignedE, %rax
	callq	*%rax
	addq	$208, %rsp
	.cfi_adjust_cfa_offset -208
	movzbl	328(%rsp), %ecx
	movq	320(%rsp), %rbx
	movl	%ecx, 32(%rsp)
	movzbl	329(%rsp), %ecx
	movl	%ecx, 28(%rsp)
	movzbl	330(%rsp), %ecx
	movl	%ecx, 24(%rsp)
	cmpl	$-2, %eax
	je	.LBB6_21
	testl	%eax, %eax
	jne	.LBB6_112
.LBB6_21:
	leaq	(%r13,%r13), %rdx
	movq	$-1, %rax
	addq	$2, %rdx
	testq	%r13, %r13
	cmovsq	%rax, %rdx
	subq	$8, %rsp
	.cfi_adjust_cfa_offset 8
	movq	640(%rsp), %rcx
	movq	648(%rsp), %r8
	movq	656(%rsp), %r9
	leaq	312(%rsp), %rdi
	leaq	504(%rsp), %rsi
	pushq	%rbp
	.cfi_adjust_cfa_offset 8
	pushq	856(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	856(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	856(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	856(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	856(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	%r12
	.cfi_adjust_cfa_offset 8
	pushq	856(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	856(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	856(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	856(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	856(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	856(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	856(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	856(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	856(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	856(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	856(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	856(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	856(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	856(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	856(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	856(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	856(%rsp)
	.cfi_adjust_cfa_offset 8
	pushq	856(%rsp)
	.cfi_adjust_cfa_offset 8
	movabsq	$_ZN9privboost7kernels5route6_rangeB3v12B56c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAK4JJIqUWsIgmAA_3d_3dEx5ArrayIiLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIbLi1E1C7mutable7alignedE, %rax
	callq	*%rax
	addq	$208, %rsp
	.cfi_adjust_cfa_offset -208
	movzbl	312(%rsp), %edx
	movq	304(%rsp), %rcx
	movzbl	314(%rsp), %r8d
	movl	%edx, 20(%rsp)
	movzbl	313(%rsp), %edx
	movl	%edx, 16(%rsp)
	cmpl	$-2, %eax
	je	.LBB6_23
	testl	%eax, %eax
	jne	.LBB6_112
.LBB6_23:
	vmovdqa	480(%rsp), %xmm13
	movq	440(%rsp), %rdi
	movq	592(%rsp), %rsi
	movq	432(%rsp), %r9
	vpcmpeqd	%ymm15, %ymm15, %ymm15
	movq	%r14, %r10
	movq	%rdi, %rax
	testq	%r15, %r15
	js	.LBB6_27
	movq	%r9, %rax
	testq	%r9, %r9
	js	.LBB6_106
	cmpq	%rsi, %r9
	jge	.LBB6_107
.LBB6_26:
	addq	576(%rsp), %rax
	movq	608(%rsp), %r10
	imulq	%rsi, %r15
	addq	%r15, %rax
.LBB6_27:
	movq	288(%rsp), %r11
	movq	%r14, 64(%rsp)
	movq	%rdi, %rbp
	testq	%rbx, %rbx
	js	.LBB6_31
	movq	%r9, %rbp
	testq	%r9, %r9
	js	.LBB6_108
	cmpq	%rsi, %r9
	jge	.LBB6_109
.LBB6_30:
	movq	608(%rsp), %rdx
	addq	576(%rsp), %rbp
	imulq	%rsi, %rbx
	addq	%rbx, %rbp
	movq	%rdx, 64(%rsp)
.LBB6_31:
	movq	%r10, %rdx
	movq	%r14, 56(%rsp)
	movq	%rdi, 48(%rsp)
	testq	%rcx, %rcx
	js	.LBB6_35
	movq	%r9, %rdi
	testq	%r9, %r9
	js	.LBB6_110
	cmpq	%rsi, %r9
	jge	.LBB6_111
.LBB6_34:
	addq	576(%rsp), %rdi
	imulq	%rsi, %rcx
	movq	608(%rsp), %rsi
	addq	%rcx, %rdi
	movq	%rsi, 56(%rsp)
	movq	%rdi, 48(%rsp)
.LBB6_35:
	movq	80(%rsp), %r12
	movq	%rdx, %r10
	imulq	928(%rsp), %r12
	addq	152(%rsp), %r12
	cmpq	448(%rsp), %r11
	jne	.LBB6_44
	cmpq	$0, 912(%rsp)
	movq	48(%rsp), %rsi
	jle	.LBB6_10
	movq	80(%rsp), %rcx
	cmpq	$8, 912(%rsp)
	leal	(,%rcx,4), %ebx
	jae	.LBB6_64
.LBB6_38:
	xorl	%r14d, %r14d
.LBB6_39:
	movq	912(%rsp), %rdx
	movq	%r14, %rcx
	orq	$1, %rcx
	testb	$1, %dl
	je	.LBB6_41
	movq	%r14, %rdx
	imulq	64(%rsp), %rdx
	movq	48(%rsp), %rdi
	movzbl	(%rbp,%rdx), %edx
	movl	%edx, %esi
	subb	32(%rsp), %sil
	cmpb	28(%rsp), %sil
	setbe	%sil
	cmpb	24(%rsp), %dl
	sete	%dl
	orb	%sil, %dl
	movq	%r14, %rsi
	imulq	56(%rsp), %rsi
	movzbl	%dl, %edx
	movzbl	(%rdi,%rsi), %esi
	movl	%esi, %r9d
	subb	20(%rsp), %r9b
	cmpb	16(%rsp), %r9b
	seta	%r9b
	cmpb	%r8b, %sil
	setne	%sil
	andb	%r9b, %sil
	movq	%r14, %r9
	imulq	%r10, %r9
	xorb	$3, %sil
	movzbl	%sil, %esi
	movzbl	(%rax,%r9), %r9d
	movl	%r9d, %r11d
	subb	12(%rsp), %r11b
	cmpb	40(%rsp), %r11b
	cmovbel	%esi, %edx
	cmpb	36(%rsp), %r9b
	cmovel	%esi, %edx
	imulq	936(%rsp), %r14
	movq	48(%rsp), %rsi
	orb	%bl, %dl
	movb	%dl, (%r12,%r14)
	movq	%rcx, %r14
.LBB6_41:
	cmpq	%rcx, 912(%rsp)
	je	.LBB6_10
	movq	64(%rsp), %r12
	movq	936(%rsp), %rcx
	movq	%r14, %r9
	leaq	1(%r14), %r15
	movq	%r14, %rdi
	imulq	%r10, %rdi
	movq	56(%rsp), %r13
	movq	%r14, %rdx
	movl	%ebx, 128(%rsp)
	movq	%r15, %r11
	imulq	%r10, %r11
	addq	%r10, %r10
	movq	%r10, 224(%rsp)
	movq	%rdi, 208(%rsp)
	movq	%r14, %rdi
	addq	272(%rsp), %r14
	movq	%r11, 168(%rsp)
	imulq	%r12, %r9
	imulq	%rcx, %rdx
	imulq	%r13, %rdi
	movq	%r9, 192(%rsp)
	movq	%r15, %r9
	imulq	%rcx, %r9
	movq	%rdx, 216(%rsp)
	movq	%rdi, 200(%rsp)
	movq	%r9, 176(%rsp)
	movq	%r15, %r9
	imulq	%r12, %r15
	addq	%r12, %r12
	imulq	%r13, %r9
	addq	%r13, %r13
	movq	%r12, 64(%rsp)
	movq	72(%rsp), %r12
	movq	%r13, 56(%rsp)
	movq	%r9, 160(%rsp)
	movq	%r15, 184(%rsp)
	.p2align	4
.LBB6_43:
	movq	192(%rsp), %rcx
	movq	%r14, 232(%rsp)
	movl	32(%rsp), %r14d
	movl	28(%rsp), %r15d
	movl	24(%rsp), %r11d
	movq	%rbp, 136(%rsp)
	movq	208(%rsp), %rdx
	movq	%rax, %rdi
	movl	20(%rsp), %eax
	movl	%r8d, %r10d
	movl	16(%rsp), %r8d
	movq	%rsi, 48(%rsp)
	movl	40(%rsp), %r9d
	movl	36(%rsp), %ebx
	movzbl	(%rbp,%rcx), %r13d
	movq	200(%rsp), %rcx
	movzbl	(%rdi,%rdx), %edx
	movl	%r13d, %ebp
	movzbl	(%rsi,%rcx), %ecx
	movl	12(%rsp), %esi
	subb	%r14b, %bpl
	cmpb	%r15b, %bpl
	setbe	%bpl
	cmpb	%r11b, %r13b
	sete	%r13b
	orb	%bpl, %r13b
	movl	%ecx, %ebp
	subb	%al, %bpl
	cmpb	%r8b, %bpl
	seta	%bpl
	cmpb	%r10b, %cl
	setne	%cl
	andb	%bpl, %cl
	movl	%edx, %ebp
	xorb	$3, %cl
	subb	%sil, %bpl
	cmpb	%r9b, %bpl
	movzbl	%r13b, %ebp
	movzbl	%cl, %ecx
	cmovbel	%ecx, %ebp
	cmpb	%bl, %dl
	movq	184(%rsp), %rdx
	cmovel	%ecx, %ebp
	orb	128(%rsp), %bpl
	movq	216(%rsp), %rcx
	movb	%bpl, (%r12,%rcx)
	movq	136(%rsp), %rcx
	movzbl	(%rcx,%rdx), %ecx
	movl	%ecx, %edx
	subb	%r14b, %dl
	movq	232(%rsp), %r14
	cmpb	%r15b, %dl
	setbe	%dl
	cmpb	%r11b, %cl
	movq	160(%rsp), %r11
	sete	%cl
	orb	%dl, %cl
	movq	48(%rsp), %rdx
	movzbl	%cl, %ecx
	movzbl	(%rdx,%r11), %edx
	movl	%edx, %ebp
	subb	%al, %bpl
	movq	%rdi, %rax
	movq	168(%rsp), %rdi
	cmpb	%r8b, %bpl
	movl	%r10d, %r8d
	movq	224(%rsp), %r10
	seta	%bpl
	cmpb	%r8b, %dl
	setne	%dl
	andb	%bpl, %dl
	movzbl	(%rax,%rdi), %ebp
	xorb	$3, %dl
	movzbl	%dl, %edx
	movl	%ebp, %r13d
	subb	%sil, %r13b
	movq	48(%rsp), %rsi
	cmpb	%r9b, %r13b
	cmovbel	%edx, %ecx
	cmpb	%bl, %bpl
	movl	128(%rsp), %ebx
	movq	136(%rsp), %rbp
	cmovel	%edx, %ecx
	movq	176(%rsp), %rdx
	addq	56(%rsp), %rsi
	addq	64(%rsp), %rbp
	addq	%r10, %rax
	orb	%bl, %cl
	movb	%cl, (%r12,%rdx)
	addq	296(%rsp), %r12
	addq	$2, %r14
	jne	.LBB6_43
	jmp	.LBB6_10
	.p2align	4
.LBB6_44:
	cmpq	$0, 912(%rsp)
	movq	48(%rsp), %rsi
	jle	.LBB6_10
	cmpq	$8, 912(%rsp)
	jae	.LBB6_73
.LBB6_46:
	xorl	%r13d, %r13d
.LBB6_47:
	movq	912(%rsp), %rdx
	movq	%r13, %rcx
	orq	$1, %rcx
	testb	$1, %dl
	je	.LBB6_49
	movq	80(%rsp), %r9
	movq	928(%rsp), %rdi
	movq	264(%rsp), %rbx
	movq	%rbp, %r15
	leaq	(,%r9,4), %rdx
	leaq	1(,%r9,4), %r11
	leaq	2(,%r9,4), %rsi
	leaq	3(,%r9,4), %r9
	imulq	%rdi, %rdx
	imulq	%rdi, %r11
	imulq	%rdi, %rsi
	imulq	%rdi, %r9
	movq	%r13, %rdi
	imulq	936(%rsp), %rdi
	addq	%rbx, %rdx
	addq	%rbx, %r11
	addq	%rbx, %rsi
	addq	%rbx, %r9
	movq	%r13, %rbx
	imulq	64(%rsp), %rbx
	addq	%rdi, %rdx
	addq	%rdi, %r11
	addq	%rdi, %rsi
	addq	%rdi, %r9
	movzbl	(%rbp,%rbx), %ebx
	movl	%ebx, %ebp
	subb	32(%rsp), %bpl
	cmpb	28(%rsp), %bpl
	cmovbeq	%r11, %rdx
	cmpb	24(%rsp), %bl
	movq	48(%rsp), %rbx
	cmoveq	%r11, %rdx
	movq	%r13, %r11
	imulq	56(%rsp), %r11
	imulq	%r10, %r13
	movzbl	(%rdx), %edx
	movzbl	(%rax,%r13), %ebp
	movq	%rcx, %r13
	movzbl	(%rbx,%r11), %r11d
	movl	%ebp, %r14d
	subb	12(%rsp), %r14b
	movl	%r11d, %ebx
	subb	20(%rsp), %bl
	cmpb	16(%rsp), %bl
	cmovbeq	%r9, %rsi
	cmpb	%r8b, %r11b
	cmoveq	%r9, %rsi
	cmpb	40(%rsp), %r14b
	movzbl	(%rsi), %esi
	cmovbel	%esi, %edx
	cmpb	36(%rsp), %bpl
	movq	%r15, %rbp
	cmovel	%esi, %edx
	movb	%dl, (%r12,%rdi)
.LBB6_49:
	cmpq	%rcx, 912(%rsp)
	je	.LBB6_10
	movq	64(%rsp), %r12
	movq	%r13, %rsi
	movq	56(%rsp), %rdx
	movq	936(%rsp), %rdi
	leaq	1(%r13), %r11
	movq	%r13, %rcx
	imulq	%r10, %rcx
	movq	72(%rsp), %rbx
	movq	%r13, %r9
	movq	104(%rsp), %r14
	xorl	%r15d, %r15d
	movq	%rcx, 136(%rsp)
	movq	%r13, %rcx
	addq	272(%rsp), %r13
	imulq	%r12, %rsi
	imulq	%rdx, %rcx
	imulq	%rdi, %r9
	movq	%rsi, 232(%rsp)
	movq	%r11, %rsi
	imulq	%r10, %rsi
	movq	%rcx, 128(%rsp)
	leaq	(%rbx,%r9), %rcx
	addq	%r10, %r10
	movq	%rcx, 200(%rsp)
	movq	96(%rsp), %rcx
	movq	%rsi, 224(%rsp)
	movq	%r11, %rsi
	imulq	%rdx, %rsi
	addq	%rdx, %rdx
	movq	%rdx, 56(%rsp)
	movq	%r11, %rdx
	imulq	%r12, %rdx
	addq	%r12, %r12
	imulq	%rdi, %r11
	movq	%r12, 64(%rsp)
	movq	120(%rsp), %r12
	movq	%rsi, 216(%rsp)
	movq	112(%rsp), %rsi
	movq	%rdx, 208(%rsp)
	leaq	(%rcx,%r9), %rdx
	movq	%rdx, 192(%rsp)
	leaq	(%r12,%r11), %rdx
	leaq	(%rsi,%r9), %rdi
	movq	%rdx, 176(%rsp)
	leaq	(%rsi,%r11), %rdx
	movq	%rdi, 160(%rsp)
	leaq	(%r12,%r9), %rdi
	addq	%r14, %r9
	movq	%rdx, 464(%rsp)
	movq	%r9, 168(%rsp)
	movq	48(%rsp), %r9
	movq	%rdi, 184(%rsp)
	leaq	(%r14,%r11), %rdi
	movq	%rdi, 472(%rsp)
	leaq	(%rcx,%r11), %rdi
	addq	%rbx, %r11
	jmp	.LBB6_53
	.p2align	4
.LBB6_51:
	movq	%r14, %rsi
.LBB6_52:
	cmpb	%r8b, %dl
	cmovneq	%rsi, %r14
	cmpb	40(%rsp), %cl
	movzbl	(%rbx), %ecx
	movzbl	(%r14), %edx
	cmovbel	%edx, %ecx
	cmpb	36(%rsp), %bpl
	movq	%r12, %rbp
	cmovel	%edx, %ecx
	addq	56(%rsp), %r9
	addq	64(%rsp), %rbp
	addq	%r10, %rax
	movb	%cl, (%r11,%r15)
	addq	296(%rsp), %r15
	addq	$2, %r13
	je	.LBB6_10
.LBB6_53:
	movq	184(%rsp), %rcx
	leaq	(%rcx,%r15), %rbx
	movq	232(%rsp), %rcx
	movzbl	(%rbp,%rcx), %ecx
	movl	%ecx, %edx
	subb	32(%rsp), %dl
	cmpb	28(%rsp), %dl
	ja	.LBB6_55
	movq	%rbx, %rdx
	jmp	.LBB6_56
	.p2align	4
.LBB6_55:
	movq	168(%rsp), %rdx
	addq	%r15, %rdx
.LBB6_56:
	cmpb	24(%rsp), %cl
	movq	128(%rsp), %rcx
	movq	192(%rsp), %rsi
	movq	%rbp, %r12
	movzbl	(%r9,%rcx), %ecx
	cmovneq	%rdx, %rbx
	leaq	(%rsi,%r15), %r14
	movl	%ecx, %edx
	subb	20(%rsp), %dl
	cmpb	16(%rsp), %dl
	ja	.LBB6_58
	movq	%r14, %rdx
	jmp	.LBB6_59
	.p2align	4
.LBB6_58:
	movq	160(%rsp), %rdx
	addq	%r15, %rdx
.LBB6_59:
	movq	136(%rsp), %rsi
	movzbl	(%rax,%rsi), %esi
	movl	%esi, %ebp
	subb	12(%rsp), %bpl
	cmpb	%r8b, %cl
	movzbl	(%rbx), %ecx
	cmovneq	%rdx, %r14
	cmpb	40(%rsp), %bpl
	movzbl	(%r14), %edx
	cmovbel	%edx, %ecx
	cmpb	36(%rsp), %sil
	movq	200(%rsp), %rsi
	cmovel	%edx, %ecx
	movq	208(%rsp), %rdx
	movb	%cl, (%rsi,%r15)
	movq	176(%rsp), %rcx
	leaq	(%rcx,%r15), %rbx
	movzbl	(%r12,%rdx), %ecx
	movl	%ecx, %edx
	subb	32(%rsp), %dl
	cmpb	28(%rsp), %dl
	ja	.LBB6_61
	movq	%rbx, %rdx
	jmp	.LBB6_62
	.p2align	4
.LBB6_61:
	movq	472(%rsp), %rdx
	addq	%r15, %rdx
.LBB6_62:
	cmpb	24(%rsp), %cl
	movq	216(%rsp), %rcx
	leaq	(%rdi,%r15), %r14
	cmovneq	%rdx, %rbx
	movzbl	(%r9,%rcx), %edx
	movq	224(%rsp), %rcx
	movzbl	(%rax,%rcx), %ebp
	movl	%edx, %esi
	subb	20(%rsp), %sil
	movl	%ebp, %ecx
	subb	12(%rsp), %cl
	cmpb	16(%rsp), %sil
	jbe	.LBB6_51
	movq	464(%rsp), %rsi
	addq	%r15, %rsi
	jmp	.LBB6_52
.LBB6_64:
	cmpq	$1, 936(%rsp)
	jne	.LBB6_38
	cmpq	$1, %r10
	jne	.LBB6_38
	cmpq	$1, 64(%rsp)
	jne	.LBB6_38
	cmpq	$1, 56(%rsp)
	movl	$0, %r14d
	jne	.LBB6_39
	movq	%r12, %rcx
	subq	%rax, %rcx
	cmpq	$32, %rcx
	jb	.LBB6_38
	movq	%r12, %rcx
	subq	%rbp, %rcx
	cmpq	$32, %rcx
	jb	.LBB6_38
	movq	%r12, %rcx
	subq	%rsi, %rcx
	movl	$0, %r14d
	cmpq	$32, %rcx
	jb	.LBB6_39
	cmpq	$32, 912(%rsp)
	jae	.LBB6_84
	xorl	%ecx, %ecx
	movl	%ebx, %r9d
	jmp	.LBB6_88
.LBB6_73:
	cmpq	$1, 936(%rsp)
	jne	.LBB6_46
	cmpq	$1, %r10
	jne	.LBB6_46
	cmpq	$1, 64(%rsp)
	jne	.LBB6_46
	cmpq	$1, 56(%rsp)
	movl	$0, %r13d
	jne	.LBB6_47
	movq	912(%rsp), %rdx
	movq	152(%rsp), %rbx
	movq	408(%rsp), %r11
	movq	%rsi, %r14
	leaq	(%rbp,%rdx), %rcx
	addq	%rdx, %rsi
	leaq	(%rax,%rdx), %r9
	cmpq	%rcx, %rbx
	setb	%dil
	cmpq	%r11, %rbp
	setb	%dl
	cmpq	%rsi, %rbx
	setb	%cl
	cmpq	%r11, %r14
	setb	%sil
	cmpq	%r9, %rbx
	setb	%r9b
	cmpq	%r11, %rax
	setb	%r11b
	testb	%r9b, %r11b
	jne	.LBB6_46
	andb	%dil, %dl
	orb	47(%rsp), %dl
	jne	.LBB6_46
	andb	%cl, %sil
	movq	48(%rsp), %rsi
	movl	$0, %r13d
	jne	.LBB6_47
	cmpq	$32, 912(%rsp)
	jae	.LBB6_91
	xorl	%ecx, %ecx
	jmp	.LBB6_95
.LBB6_84:
	vmovd	32(%rsp), %xmm0
	vmovd	28(%rsp), %xmm1
	vmovd	24(%rsp), %xmm2
	vmovd	20(%rsp), %xmm3
	vmovd	16(%rsp), %xmm4
	vmovd	12(%rsp), %xmm6
	vmovd	40(%rsp), %xmm7
	vmovd	36(%rsp), %xmm8
	movq	88(%rsp), %rdx
	movq	72(%rsp), %r9
	vmovd	%r8d, %xmm5
	vmovd	%ebx, %xmm9
	movq	%rsi, %r11
	movabsq	$.LCPI6_0, %rsi
	movabsq	$.LCPI6_1, %rdi
	xorl	%ecx, %ecx
	vpbroadcastb	%xmm5, %ymm5
	vpbroadcastb	%xmm9, %ymm9
	vpbroadcastb	%xmm0, %ymm0
	vpbroadcastb	%xmm1, %ymm1
	vpbroadcastb	%xmm2, %ymm2
	vpbroadcastb	%xmm3, %ymm3
	vpbroadcastb	%xmm4, %ymm4
	vpbroadcastb	%xmm6, %ymm6
	vpbroadcastb	%xmm7, %ymm7
	vpbroadcastb	%xmm8, %ymm8
	.p2align	4
.LBB6_85:
	vmovdqu	(%rbp,%rcx), %ymm10
	vpsubb	%ymm0, %ymm10, %ymm11
	vpcmpeqb	%ymm2, %ymm10, %ymm10
	vpminub	%ymm1, %ymm11, %ymm12
	vpcmpeqb	%ymm12, %ymm11, %ymm11
	vpor	%ymm11, %ymm10, %ymm10
	vmovdqu	(%r11,%rcx), %ymm11
	vpand	(%rsi), %ymm10, %ymm10
	vpsubb	%ymm3, %ymm11, %ymm12
	vpcmpeqb	%ymm5, %ymm11, %ymm11
	vpminub	%ymm4, %ymm12, %ymm13
	vpcmpeqb	%ymm13, %ymm12, %ymm12
	vpor	%ymm12, %ymm11, %ymm11
	vmovdqu	(%rax,%rcx), %ymm12
	vpxor	%ymm15, %ymm11, %ymm11
	vpaddb	(%rdi), %ymm11, %ymm11
	vpsubb	%ymm6, %ymm12, %ymm13
	vpcmpeqb	%ymm8, %ymm12, %ymm12
	vpminub	%ymm7, %ymm13, %ymm14
	vpcmpeqb	%ymm14, %ymm13, %ymm13
	vpor	%ymm13, %ymm12, %ymm12
	vpblendvb	%ymm12, %ymm11, %ymm10, %ymm10
	vpor	%ymm9, %ymm10, %ymm10
	vmovdqu	%ymm10, (%r9,%rcx)
	addq	$32, %rcx
	cmpq	%rcx, %rdx
	jne	.LBB6_85
	vmovdqa	480(%rsp), %xmm13
	cmpq	%rdx, 912(%rsp)
	je	.LBB6_10
	movq	88(%rsp), %rdi
	movq	912(%rsp), %rdx
	movq	%r11, %rsi
	movl	%ebx, %r9d
	movq	%rdi, %rcx
	movq	%rdi, %r14
	testb	$24, %dl
	je	.LBB6_39
.LBB6_88:
	vmovd	32(%rsp), %xmm0
	vmovd	28(%rsp), %xmm1
	vmovd	24(%rsp), %xmm2
	vmovd	20(%rsp), %xmm3
	vmovd	16(%rsp), %xmm4
	vmovd	12(%rsp), %xmm6
	vmovd	40(%rsp), %xmm7
	vmovd	36(%rsp), %xmm8
	movq	%rsi, %rdi
	movq	240(%rsp), %rdx
	movq	72(%rsp), %rsi
	vmovd	%r8d, %xmm5
	vmovd	%r9d, %xmm9
	vpbroadcastb	%xmm5, %xmm5
	vpbroadcastb	%xmm9, %xmm9
	vpbroadcastb	%xmm0, %xmm0
	vpbroadcastb	%xmm1, %xmm1
	vpbroadcastb	%xmm2, %xmm2
	vpbroadcastb	%xmm3, %xmm3
	vpbroadcastb	%xmm4, %xmm4
	vpbroadcastb	%xmm6, %xmm6
	vpbroadcastb	%xmm7, %xmm7
	vpbroadcastb	%xmm8, %xmm8
	.p2align	4
.LBB6_89:
	vmovq	(%rbp,%rcx), %xmm10
	vmovdqa	%xmm13, %xmm15
	vpsubb	%xmm0, %xmm10, %xmm11
	vpcmpeqb	%xmm2, %xmm10, %xmm10
	vpminub	%xmm1, %xmm11, %xmm12
	vpcmpeqb	%xmm12, %xmm11, %xmm11
	vpor	%xmm11, %xmm10, %xmm10
	vmovq	(%rdi,%rcx), %xmm11
	vpmovsxbw	%xmm10, %xmm10
	vpsrlw	$15, %xmm10, %xmm10
	vpackuswb	%xmm10, %xmm10, %xmm10
	vpsubb	%xmm3, %xmm11, %xmm12
	vpcmpeqb	%xmm5, %xmm11, %xmm11
	vpminub	%xmm4, %xmm12, %xmm13
	vpcmpeqb	%xmm13, %xmm12, %xmm12
	vpor	%xmm12, %xmm11, %xmm11
	vmovq	(%rax,%rcx), %xmm12
	vpsubb	%xmm6, %xmm12, %xmm13
	vpcmpeqb	%xmm8, %xmm12, %xmm12
	vpminub	%xmm7, %xmm13, %xmm14
	vpcmpeqb	%xmm14, %xmm13, %xmm13
	vpcmpeqd	%xmm14, %xmm14, %xmm14
	vpxor	%xmm14, %xmm11, %xmm11
	vpor	%xmm13, %xmm12, %xmm12
	vmovdqa	%xmm15, %xmm13
	vpaddb	%xmm15, %xmm11, %xmm11
	vpblendvb	%xmm12, %xmm11, %xmm10, %xmm10
	vpor	%xmm9, %xmm10, %xmm10
	vmovq	%xmm10, (%rsi,%rcx)
	addq	$8, %rcx
	cmpq	%rcx, %rdx
	jne	.LBB6_89
	movq	%rdx, %r14
	movq	%rdi, %rsi
	cmpq	%rdx, 912(%rsp)
	je	.LBB6_10
	jmp	.LBB6_39
.LBB6_91:
	vmovd	32(%rsp), %xmm0
	vmovd	28(%rsp), %xmm1
	vmovd	24(%rsp), %xmm2
	vmovd	20(%rsp), %xmm3
	vmovd	16(%rsp), %xmm4
	vmovd	12(%rsp), %xmm6
	vmovd	40(%rsp), %xmm7
	vmovd	36(%rsp), %xmm8
	movq	%rsi, %r14
	movq	88(%rsp), %rdx
	movq	96(%rsp), %rsi
	movq	120(%rsp), %rdi
	movq	112(%rsp), %r9
	movq	104(%rsp), %r11
	movq	72(%rsp), %rbx
	vmovd	%r8d, %xmm5
	xorl	%ecx, %ecx
	vpbroadcastb	%xmm5, %ymm5
	vpbroadcastb	%xmm0, %ymm0
	vpbroadcastb	%xmm1, %ymm1
	vpbroadcastb	%xmm2, %ymm2
	vpbroadcastb	%xmm3, %ymm3
	vpbroadcastb	%xmm4, %ymm4
	vpbroadcastb	%xmm6, %ymm6
	vpbroadcastb	%xmm7, %ymm7
	vpbroadcastb	%xmm8, %ymm8
	.p2align	4
.LBB6_92:
	vmovdqu	(%rbp,%rcx), %ymm11
	vmovdqu	(%r11,%rcx), %ymm9
	vmovdqu	(%r9,%rcx), %ymm10
	vpsubb	%ymm0, %ymm11, %ymm12
	vpcmpeqb	%ymm2, %ymm11, %ymm11
	vpminub	%ymm1, %ymm12, %ymm13
	vpcmpeqb	%ymm13, %ymm12, %ymm12
	vpor	%ymm12, %ymm11, %ymm11
	vpblendvb	%ymm11, (%rdi,%rcx), %ymm9, %ymm9
	vmovdqu	(%r14,%rcx), %ymm11
	vpsubb	%ymm3, %ymm11, %ymm12
	vpcmpeqb	%ymm5, %ymm11, %ymm11
	vpminub	%ymm4, %ymm12, %ymm13
	vpcmpeqb	%ymm13, %ymm12, %ymm12
	vpor	%ymm12, %ymm11, %ymm11
	vmovdqu	(%rax,%rcx), %ymm12
	vpblendvb	%ymm11, (%rsi,%rcx), %ymm10, %ymm10
	vpsubb	%ymm6, %ymm12, %ymm13
	vpcmpeqb	%ymm8, %ymm12, %ymm12
	vpminub	%ymm7, %ymm13, %ymm14
	vpcmpeqb	%ymm14, %ymm13, %ymm13
	vpor	%ymm13, %ymm12, %ymm12
	vpblendvb	%ymm12, %ymm10, %ymm9, %ymm9
	vmovdqu	%ymm9, (%rbx,%rcx)
	addq	$32, %rcx
	cmpq	%rcx, %rdx
	jne	.LBB6_92
	cmpq	%rdx, 912(%rsp)
	je	.LBB6_10
	movq	88(%rsp), %r13
	movq	912(%rsp), %rdx
	movq	%r14, %rsi
	movq	%r13, %rcx
	testb	$24, %dl
	je	.LBB6_47
.LBB6_95:
	vmovd	32(%rsp), %xmm0
	vmovd	28(%rsp), %xmm1
	vmovd	24(%rsp), %xmm2
	vmovd	20(%rsp), %xmm3
	vmovd	16(%rsp), %xmm4
	vmovd	12(%rsp), %xmm6
	vmovd	40(%rsp), %xmm7
	vmovd	36(%rsp), %xmm8
	movq	%rsi, %r14
	movq	240(%rsp), %rdx
	movq	96(%rsp), %rsi
	movq	120(%rsp), %rdi
	movq	112(%rsp), %r9
	movq	104(%rsp), %r11
	movq	72(%rsp), %rbx
	vmovd	%r8d, %xmm5
	vpbroadcastb	%xmm5, %xmm5
	vpbroadcastb	%xmm0, %xmm0
	vpbroadcastb	%xmm1, %xmm1
	vpbroadcastb	%xmm2, %xmm2
	vpbroadcastb	%xmm3, %xmm3
	vpbroadcastb	%xmm4, %xmm4
	vpbroadcastb	%xmm6, %xmm6
	vpbroadcastb	%xmm7, %xmm7
	vpbroadcastb	%xmm8, %xmm8
	.p2align	4
.LBB6_96:
	vmovq	(%rbp,%rcx), %xmm13
	vmovq	(%r11,%rcx), %xmm9
	vmovq	(%rdi,%rcx), %xmm10
	vmovq	(%r9,%rcx), %xmm11
	vmovq	(%rsi,%rcx), %xmm12
	vpsubb	%xmm0, %xmm13, %xmm14
	vpcmpeqb	%xmm2, %xmm13, %xmm13
	vpminub	%xmm1, %xmm14, %xmm15
	vpcmpeqb	%xmm15, %xmm14, %xmm14
	vpor	%xmm14, %xmm13, %xmm13
	vpblendvb	%xmm13, %xmm10, %xmm9, %xmm9
	vmovq	(%r14,%rcx), %xmm10
	vpsubb	%xmm3, %xmm10, %xmm13
	vpcmpeqb	%xmm5, %xmm10, %xmm10
	vpminub	%xmm4, %xmm13, %xmm14
	vpcmpeqb	%xmm14, %xmm13, %xmm13
	vpor	%xmm13, %xmm10, %xmm10
	vpblendvb	%xmm10, %xmm12, %xmm11, %xmm10
	vmovq	(%rax,%rcx), %xmm11
	vpsubb	%xmm6, %xmm11, %xmm12
	vpcmpeqb	%xmm8, %xmm11, %xmm11
	vpminub	%xmm7, %xmm12, %xmm13
	vpcmpeqb	%xmm13, %xmm12, %xmm12
	vpor	%xmm12, %xmm11, %xmm11
	vpblendvb	%xmm11, %xmm10, %xmm9, %xmm9
	vmovq	%xmm9, (%rbx,%rcx)
	addq	$8, %rcx
	cmpq	%rcx, %rdx
	jne	.LBB6_96
	movq	%rdx, %r13
	cmpq	%rdx, 912(%rsp)
	je	.LBB6_10
	jmp	.LBB6_47
.LBB6_106:
	xorl	%eax, %eax
	cmpq	%rsi, %r9
	jl	.LBB6_26
.LBB6_107:
	movq	%rsi, %rax
	jmp	.LBB6_26
.LBB6_108:
	xorl	%ebp, %ebp
	cmpq	%rsi, %r9
	jl	.LBB6_30
.LBB6_109:
	movq	%rsi, %rbp
	jmp	.LBB6_30
.LBB6_110:
	xorl	%edi, %edi
	cmpq	%rsi, %r9
	jl	.LBB6_34
.LBB6_111:
	movq	%rsi, %rdi
	jmp	.LBB6_34
.LBB6_112:
	movq	144(%rsp), %rcx
	movq	$0, (%rcx)
.LBB6_113:
	addq	$520, %rsp
	.cfi_def_cfa_offset 56
	popq	%rbx
	.cfi_def_cfa_offset 48
	popq	%r12
	.cfi_def_cfa_offset 40
	popq	%r13
	.cfi_def_cfa_offset 32
	popq	%r14
	.cfi_def_cfa_offset 24
	popq	%r15
	.cfi_def_cfa_offset 16
	popq	%rbp
	.cfi_def_cfa_offset 8
	retq
.LBB6_114:
	.cfi_def_cfa_offset 576
	movabsq	$NRT_decref, %rbx
	movq	%r14, %rdi
	callq	*%rbx
	movq	%r12, %rdi
	callq	*%rbx
	movq	744(%rsp), %rdi
	callq	*%rbx
	movq	%r14, %rdi
	callq	*%rbx
	movq	688(%rsp), %rdi
	callq	*%rbx
	movq	352(%rsp), %rdi
	callq	*%rbx
	movq	632(%rsp), %rdi
	callq	*%rbx
	movq	360(%rsp), %rax
	movq	248(%rsp), %rcx
	movq	%rcx, (%rax)
	xorl	%eax, %eax
	jmp	.LBB6_113
.Lfunc_end6:
	.size	_ZN9privboost7kernels5route13_upper_leavesB3v11B56c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAK4JJIqUWsIgmAA_3d_3dE5ArrayIhLi2E1C7mutable7alignedExx5ArrayIiLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIbLi1E1C7mutable7alignedE5ArrayIhLi3E1A7mutable7alignedE, .Lfunc_end6-_ZN9privboost7kernels5route13_upper_leavesB3v11B56c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAK4JJIqUWsIgmAA_3d_3dE5ArrayIhLi2E1C7mutable7alignedExx5ArrayIiLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIbLi1E1C7mutable7alignedE5ArrayIhLi3E1A7mutable7alignedE
	.cfi_endproc

	.weak	_ZN5numba2np8arrayobj31ol_raise_with_shape_context_cpu12_3clocals_3e4implB3v15B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAw4hWqFpgsIBZmgA_3dE8UniTupleIxLi1EE8UniTupleIxLi1EE
	.p2align	4
	.type	_ZN5numba2np8arrayobj31ol_raise_with_shape_context_cpu12_3clocals_3e4implB3v15B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAw4hWqFpgsIBZmgA_3dE8UniTupleIxLi1EE8UniTupleIxLi1EE,@function
_ZN5numba2np8arrayobj31ol_raise_with_shape_context_cpu12_3clocals_3e4implB3v15B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAw4hWqFpgsIBZmgA_3dE8UniTupleIxLi1EE8UniTupleIxLi1EE:
	.cfi_startproc
	pushq	%rbp
	.cfi_def_cfa_offset 16
	pushq	%r15
	.cfi_def_cfa_offset 24
	pushq	%r14
	.cfi_def_cfa_offset 32
	pushq	%r13
	.cfi_def_cfa_offset 40
	pushq	%r12
	.cfi_def_cfa_offset 48
	pushq	%rbx
	.cfi_def_cfa_offset 56
	subq	$568, %rsp
	.cfi_def_cfa_offset 624
	.cfi_offset %rbx, -56
	.cfi_offset %r12, -48
	.cfi_offset %r13, -40
	.cfi_offset %r14, -32
	.cfi_offset %r15, -24
	.cfi_offset %rbp, -16
	movabsq	$log10, %rax
	movabsq	$NRT_MemInfo_alloc, %rbp
	vxorpd	%xmm0, %xmm0, %xmm0
	vmovupd	%ymm0, 384(%rsp)
	vmovupd	%ymm0, 336(%rsp)
	vmovupd	%ymm0, 464(%rsp)
	vmovupd	%ymm0, 288(%rsp)
	vmovupd	%ymm0, 240(%rsp)
	vmovupd	%ymm0, 192(%rsp)
	movq	%rcx, %r14
	movq	%rdx, %r13
	movq	$0, 184(%rsp)
	vmovupd	%ymm0, 400(%rsp)
	movq	$0, 176(%rsp)
	vmovupd	%ymm0, 352(%rsp)
	movq	$0, 168(%rsp)
	vmovupd	%ymm0, 480(%rsp)
	movq	$0, 160(%rsp)
	vmovupd	%ymm0, 304(%rsp)
	movq	$0, 152(%rsp)
	vmovupd	%ymm0, 256(%rsp)
	movq	$0, 144(%rsp)
	vmovupd	%ymm0, 208(%rsp)
	movq	$0, 136(%rsp)
	movq	%rsi, 456(%rsp)
	movq	%rdx, %r12
	testq	%rdx, %rdx
	js	.LBB7_1
	jne	.LBB7_2
	movabsq	$.bytes.3639838892131356329, %rax
	movl	$1, %ecx
	xorl	%ebp, %ebp
	jmp	.LBB7_6
.LBB7_1:
	negq	%r12
.LBB7_2:
	vcvtsi2sd	%r12, %xmm15, %xmm0
	movq	%r13, %rbx
	shrq	$63, %rbx
	vzeroupper
	callq	*%rax
	vroundsd	$9, %xmm0, %xmm0, %xmm0
	vcvttsd2si	%xmm0, %r15
	leaq	2(%rbx,%r15), %rdi
	callq	*%rbp
	testq	%rax, %rax
	je	.LBB7_3
	movq	%rax, %rbp
	movq	24(%rax), %rax
	testq	%r13, %r13
	jns	.LBB7_9
	movb	$45, (%rax)
.LBB7_9:
	leaq	1(%rbx,%r15), %rcx
	testq	%r12, %r12
	jle	.LBB7_6
	addq	%r15, %rbx
	movabsq	$-3689348814741910323, %rsi
	addq	%rax, %rbx
	.p2align	4
.LBB7_11:
	movq	%r12, %rdx
	mulxq	%rsi, %rdx, %rdx
	movl	%r12d, %r8d
	shrq	$3, %rdx
	leal	(%rdx,%rdx), %edi
	leal	(%rdi,%rdi,4), %edi
	subl	%edi, %r8d
	orb	$48, %r8b
	movb	%r8b, (%rbx)
	decq	%rbx
	cmpq	$10, %r12
	movq	%rdx, %r12
	jae	.LBB7_11
.LBB7_6:
	movq	%rcx, 32(%rsp)
	movq	%rax, 24(%rsp)
	movabsq	$.bytes.5672296005145982241, %rdx
	movabsq	$_ZN5numba7cpython7unicode14unicode_concat12_3clocals_3e11concat_implB3v36B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAw4hWqFpgsIBZmgA_3dE12unicode_type12unicode_type, %rax
	leaq	512(%rsp), %rdi
	leaq	184(%rsp), %rsi
	movl	$1, %ecx
	movl	$1, %r8d
	movl	$1, %r9d
	vxorpd	%xmm0, %xmm0, %xmm0
	vmovupd	%ymm0, 528(%rsp)
	vmovupd	%ymm0, 512(%rsp)
	movq	%rbp, 64(%rsp)
	vxorpd	%xmm0, %xmm0, %xmm0
	vmovupd	%xmm0, 8(%rsp)
	movq	$0, 72(%rsp)
	movq	$-1, 56(%rsp)
	movl	$1, 48(%rsp)
	movl	$1, 40(%rsp)
	movq	$-1, (%rsp)
	vzeroupper
	callq	*%rax
	testl	%eax, %eax
	jne	.LBB7_28
	movl	532(%rsp), %eax
	movq	%r14, 88(%rsp)
	movq	%rbp, %rdi
	movq	544(%rsp), %r12
	movq	552(%rsp), %r14
	movq	536(%rsp), %rbp
	movl	528(%rsp), %r13d
	movq	512(%rsp), %rbx
	movq	520(%rsp), %r15
	movl	%eax, 96(%rsp)
	movabsq	$NRT_decref, %rax
	callq	*%rax
	vxorpd	%xmm0, %xmm0, %xmm0
	vmovupd	%ymm0, 400(%rsp)
	vmovupd	%ymm0, 384(%rsp)
	vxorpd	%xmm0, %xmm0, %xmm0
	vmovupd	%xmm0, 64(%rsp)
	movabsq	$.bytes.5476400652381159381, %rax
	movq	%rbp, (%rsp)
	movabsq	$_ZN5numba7cpython7unicode14unicode_concat12_3clocals_3e11concat_implB3v36B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAw4hWqFpgsIBZmgA_3dE12unicode_type12unicode_type, %rbp
	leaq	384(%rsp), %rdi
	leaq	176(%rsp), %rsi
	movq	%r14, 16(%rsp)
	movq	%r12, 8(%rsp)
	movq	$-1, 56(%rsp)
	movl	$1, 48(%rsp)
	movl	$1, 40(%rsp)
	movq	$2, 32(%rsp)
	movq	%rbx, %rdx
	movq	%r15, %rcx
	movl	%r13d, %r8d
	movl	96(%rsp), %r9d
	movq	%rax, 24(%rsp)
	vzeroupper
	callq	*%rbp
	testl	%eax, %eax
	jne	.LBB7_8
	movl	400(%rsp), %ecx
	movq	392(%rsp), %rdi
	movq	384(%rsp), %rax
	movl	404(%rsp), %esi
	movq	408(%rsp), %rdx
	movq	416(%rsp), %r15
	movl	%ecx, 104(%rsp)
	movq	424(%rsp), %rcx
	movq	%rdi, 112(%rsp)
	movq	%r12, %rdi
	movabsq	$NRT_decref, %r12
	movq	%rax, 120(%rsp)
	movl	%esi, 132(%rsp)
	movq	%rdx, 440(%rsp)
	movq	%rcx, 432(%rsp)
	callq	*%r12
	movq	88(%rsp), %r14
	movq	%r15, 448(%rsp)
	movq	%r14, %r13
	testq	%r14, %r14
	js	.LBB7_15
	movabsq	$log10, %rax
	jne	.LBB7_16
	movl	$1, %ecx
	movabsq	$.bytes.3639838892131356329, %r9
	xorl	%eax, %eax
	jmp	.LBB7_23
.LBB7_15:
	negq	%r13
	movabsq	$log10, %rax
.LBB7_16:
	vcvtsi2sd	%r13, %xmm15, %xmm0
	movq	%r14, %rbx
	shrq	$63, %rbx
	callq	*%rax
	vroundsd	$9, %xmm0, %xmm0, %xmm0
	movq	%r14, %r15
	movabsq	$NRT_MemInfo_alloc, %rax
	vcvttsd2si	%xmm0, %r14
	leaq	2(%rbx,%r14), %rdi
	callq	*%rax
	movabsq	$.const.picklebuf.ba289d81f05c7020f3477c15734804df65abe209.3, %rcx
	testq	%rax, %rax
	je	.LBB7_29
	movq	24(%rax), %r9
	testq	%r15, %r15
	js	.LBB7_18
	leaq	1(%rbx,%r14), %rcx
	testq	%r13, %r13
	jle	.LBB7_20
.LBB7_26:
	addq	%r14, %rbx
	movabsq	$-3689348814741910323, %rsi
	movabsq	$_ZN5numba7cpython7unicode14unicode_concat12_3clocals_3e11concat_implB3v36B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAw4hWqFpgsIBZmgA_3dE12unicode_type12unicode_type, %rbp
	addq	%r9, %rbx
	.p2align	4
.LBB7_27:
	movq	%r13, %rdx
	mulxq	%rsi, %rdx, %rdx
	movl	%r13d, %r8d
	shrq	$3, %rdx
	leal	(%rdx,%rdx), %edi
	leal	(%rdi,%rdi,4), %edi
	subl	%edi, %r8d
	orb	$48, %r8b
	movb	%r8b, (%rbx)
	decq	%rbx
	cmpq	$10, %r13
	movq	%rdx, %r13
	jae	.LBB7_27
	jmp	.LBB7_23
.LBB7_18:
	movb	$45, (%r9)
	leaq	1(%rbx,%r14), %rcx
	testq	%r13, %r13
	jg	.LBB7_26
.LBB7_20:
	movabsq	$_ZN5numba7cpython7unicode14unicode_concat12_3clocals_3e11concat_implB3v36B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAw4hWqFpgsIBZmgA_3dE12unicode_type12unicode_type, %rbp
.LBB7_23:
	movq	%rcx, 32(%rsp)
	movq	%r9, 24(%rsp)
	movabsq	$.bytes.5672296005145982241, %rdx
	leaq	336(%rsp), %rdi
	leaq	168(%rsp), %rsi
	movl	$1, %ecx
	movl	$1, %r8d
	movl	$1, %r9d
	vxorpd	%xmm0, %xmm0, %xmm0
	vmovupd	%ymm0, 352(%rsp)
	vmovupd	%ymm0, 336(%rsp)
	movq	%rax, 64(%rsp)
	vxorpd	%xmm0, %xmm0, %xmm0
	vmovupd	%xmm0, 8(%rsp)
	movq	$0, 72(%rsp)
	movq	$-1, 56(%rsp)
	movl	$1, 48(%rsp)
	movl	$1, 40(%rsp)
	movq	$-1, (%rsp)
	movq	%rax, %rbx
	vzeroupper
	callq	*%rbp
	testl	%eax, %eax
	jne	.LBB7_30
	movl	356(%rsp), %ecx
	movl	352(%rsp), %edx
	movq	%r12, %rax
	movq	368(%rsp), %rbp
	movq	376(%rsp), %r15
	movq	360(%rsp), %r12
	movq	336(%rsp), %r13
	movq	344(%rsp), %r14
	movq	%rbx, %rdi
	movl	%ecx, 96(%rsp)
	movl	%edx, 88(%rsp)
	callq	*%rax
	vxorpd	%xmm0, %xmm0, %xmm0
	vmovupd	%ymm0, 480(%rsp)
	vmovupd	%ymm0, 464(%rsp)
	vxorpd	%xmm0, %xmm0, %xmm0
	vmovupd	%xmm0, 64(%rsp)
	movabsq	$.bytes.5476400652381159381, %rax
	movq	%r14, %rcx
	leaq	464(%rsp), %rdi
	leaq	160(%rsp), %rsi
	movabsq	$_ZN5numba7cpython7unicode14unicode_concat12_3clocals_3e11concat_implB3v36B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAw4hWqFpgsIBZmgA_3dE12unicode_type12unicode_type, %r14
	movq	%r15, 16(%rsp)
	movq	%rbp, %r15
	movq	%rbp, 8(%rsp)
	movq	%r12, (%rsp)
	movq	$-1, 56(%rsp)
	movl	$1, 48(%rsp)
	movl	$1, 40(%rsp)
	movq	$2, 32(%rsp)
	movq	%r13, %rdx
	movl	88(%rsp), %r8d
	movl	96(%rsp), %r9d
	movq	%rax, 24(%rsp)
	vzeroupper
	callq	*%r14
	testl	%eax, %eax
	jne	.LBB7_25
	vmovapd	464(%rsp), %xmm0
	movq	488(%rsp), %rcx
	movl	484(%rsp), %edx
	movl	480(%rsp), %esi
	movq	496(%rsp), %r13
	movq	504(%rsp), %rax
	leaq	288(%rsp), %rdi
	movl	$1, %r8d
	movl	$1, %r9d
	vxorps	%xmm1, %xmm1, %xmm1
	vmovups	%ymm1, 288(%rsp)
	vmovups	%ymm1, 304(%rsp)
	movq	%rcx, 56(%rsp)
	movl	%edx, 48(%rsp)
	movl	%esi, 40(%rsp)
	movabsq	$.bytes.8892581685632005052, %rdx
	leaq	152(%rsp), %rsi
	movl	$29, %ecx
	movq	%rax, 72(%rsp)
	movq	%r13, 64(%rsp)
	vmovupd	%xmm0, 24(%rsp)
	vxorpd	%xmm0, %xmm0, %xmm0
	vmovupd	%xmm0, 8(%rsp)
	movq	$-1, (%rsp)
	vzeroupper
	callq	*%r14
	movq	320(%rsp), %rbp
	movabsq	$NRT_decref, %r14
	movq	%r15, %rdi
	movl	%eax, %ebx
	callq	*%r14
	testl	%ebx, %ebx
	jne	.LBB7_37
	movl	308(%rsp), %ecx
	movl	304(%rsp), %edx
	movq	%r14, %rax
	movq	328(%rsp), %rbx
	movq	312(%rsp), %r12
	movq	288(%rsp), %r14
	movq	296(%rsp), %r15
	movq	%r13, %rdi
	movl	%ecx, 96(%rsp)
	movl	%edx, 88(%rsp)
	callq	*%rax
	vxorpd	%xmm0, %xmm0, %xmm0
	vmovupd	%ymm0, 256(%rsp)
	vmovupd	%ymm0, 240(%rsp)
	vxorpd	%xmm0, %xmm0, %xmm0
	vmovupd	%xmm0, 64(%rsp)
	movabsq	$".bytes.-2687903474131752029", %rax
	leaq	240(%rsp), %rdi
	leaq	144(%rsp), %rsi
	movq	%rbx, 16(%rsp)
	movq	%rbp, %rbx
	movq	%rbp, 8(%rsp)
	movq	%r12, (%rsp)
	movq	$-1, 56(%rsp)
	movl	$1, 48(%rsp)
	movl	$1, 40(%rsp)
	movq	$21, 32(%rsp)
	movq	%r14, %rdx
	movq	%r15, %rcx
	movl	88(%rsp), %r8d
	movl	96(%rsp), %r9d
	movq	%rax, 24(%rsp)
	movabsq	$_ZN5numba7cpython7unicode14unicode_concat12_3clocals_3e11concat_implB3v36B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAw4hWqFpgsIBZmgA_3dE12unicode_type12unicode_type, %rax
	vzeroupper
	callq	*%rax
	testl	%eax, %eax
	jne	.LBB7_38
	movl	260(%rsp), %eax
	movl	256(%rsp), %ecx
	movq	272(%rsp), %rbp
	movq	280(%rsp), %r12
	movq	264(%rsp), %r15
	movq	240(%rsp), %r14
	movq	248(%rsp), %r13
	movq	%rbx, %rdi
	movl	%eax, 96(%rsp)
	movabsq	$NRT_decref, %rax
	movl	%ecx, 88(%rsp)
	callq	*%rax
	movl	132(%rsp), %ecx
	movq	432(%rsp), %rax
	movq	440(%rsp), %rdi
	movl	104(%rsp), %esi
	movq	448(%rsp), %rbx
	movq	112(%rsp), %rdx
	movl	88(%rsp), %r8d
	movl	96(%rsp), %r9d
	vxorpd	%xmm0, %xmm0, %xmm0
	vmovupd	%ymm0, 208(%rsp)
	vmovupd	%ymm0, 192(%rsp)
	movq	%r12, 16(%rsp)
	movq	%rbp, 8(%rsp)
	movq	%r15, (%rsp)
	movl	%ecx, 48(%rsp)
	movq	120(%rsp), %rcx
	movq	%rax, 72(%rsp)
	movq	%rdi, 56(%rsp)
	movl	%esi, 40(%rsp)
	leaq	192(%rsp), %rdi
	leaq	136(%rsp), %rsi
	movabsq	$_ZN5numba7cpython7unicode14unicode_concat12_3clocals_3e11concat_implB3v36B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAw4hWqFpgsIBZmgA_3dE12unicode_type12unicode_type, %rax
	movq	%rdx, 32(%rsp)
	movq	%rbx, 64(%rsp)
	movq	%rbp, 120(%rsp)
	movq	%r14, %rdx
	movq	%rcx, 24(%rsp)
	movq	%r13, %rcx
	vzeroupper
	callq	*%rax
	testl	%eax, %eax
	jne	.LBB7_39
	movq	200(%rsp), %rax
	movl	212(%rsp), %esi
	movq	216(%rsp), %rdx
	movq	224(%rsp), %r13
	movq	232(%rsp), %rcx
	movq	192(%rsp), %r15
	movl	208(%rsp), %ebp
	movq	%rax, 96(%rsp)
	movabsq	$NRT_incref, %rax
	movq	%r13, %rdi
	movl	%esi, 88(%rsp)
	movq	%rdx, 112(%rsp)
	movq	%rcx, 104(%rsp)
	callq	*%rax
	movabsq	$NRT_Allocate, %rax
	movl	$48, %edi
	callq	*%rax
	movq	120(%rsp), %rdi
	movabsq	$NRT_decref, %r14
	movq	%rax, %r12
	callq	*%r14
	movq	%rbx, %rdi
	callq	*%r14
	movabsq	$.const.picklebuf.ba289d81f05c7020f3477c15734804df65abe209.13.16, %rcx
	testq	%r12, %r12
	je	.LBB7_29
	movq	96(%rsp), %rax
	movl	88(%rsp), %edi
	movq	112(%rsp), %rsi
	movq	104(%rsp), %rdx
	movq	%r15, (%r12)
	movq	%rcx, %rbx
	movq	%rax, 8(%r12)
	movl	%ebp, 16(%r12)
	movl	%edi, 20(%r12)
	movl	$40, %edi
	movabsq	$NRT_Allocate, %rax
	movq	%rsi, 24(%r12)
	movq	%r13, 32(%r12)
	movq	%rdx, 40(%r12)
	callq	*%rax
	movq	%rbx, %rcx
	testq	%rax, %rax
	je	.LBB7_29
	movabsq	$.const.pickledata.538f24ddc49600304aad96856f43891e57e289a3, %rcx
	movabsq	$__excinfo_unwrap_args2a69829f126f4a7013ea1e2468c3325e564f5cc6, %rdx
	movq	%rcx, (%rax)
	movl	$406, 8(%rax)
	movq	%r12, 16(%rax)
	movq	%rdx, 24(%rax)
	movl	$1, 32(%rax)
	movq	%rax, %rcx
.LBB7_29:
	movq	456(%rsp), %rax
	movq	%rcx, (%rax)
	movl	$1, %eax
	addq	$568, %rsp
	.cfi_def_cfa_offset 56
	popq	%rbx
	.cfi_def_cfa_offset 48
	popq	%r12
	.cfi_def_cfa_offset 40
	popq	%r13
	.cfi_def_cfa_offset 32
	popq	%r14
	.cfi_def_cfa_offset 24
	popq	%r15
	.cfi_def_cfa_offset 16
	popq	%rbp
	.cfi_def_cfa_offset 8
	retq
.LBB7_28:
	.cfi_def_cfa_offset 624
	movq	184(%rsp), %rcx
	jmp	.LBB7_29
.LBB7_8:
	movq	176(%rsp), %rcx
	jmp	.LBB7_29
.LBB7_30:
	movq	168(%rsp), %rcx
	jmp	.LBB7_29
.LBB7_25:
	movq	160(%rsp), %rcx
	jmp	.LBB7_29
.LBB7_37:
	movq	152(%rsp), %rcx
	jmp	.LBB7_29
.LBB7_38:
	movq	144(%rsp), %rcx
	jmp	.LBB7_29
.LBB7_39:
	movq	136(%rsp), %rcx
	jmp	.LBB7_29
.LBB7_3:
	movabsq	$.const.picklebuf.ba289d81f05c7020f3477c15734804df65abe209.3, %rcx
	jmp	.LBB7_29
.Lfunc_end7:
	.size	_ZN5numba2np8arrayobj31ol_raise_with_shape_context_cpu12_3clocals_3e4implB3v15B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAw4hWqFpgsIBZmgA_3dE8UniTupleIxLi1EE8UniTupleIxLi1EE, .Lfunc_end7-_ZN5numba2np8arrayobj31ol_raise_with_shape_context_cpu12_3clocals_3e4implB3v15B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAw4hWqFpgsIBZmgA_3dE8UniTupleIxLi1EE8UniTupleIxLi1EE
	.cfi_endproc

	.section	.rodata.cst16,"aM",@progbits,16
	.p2align	4, 0x0
.LCPI8_0:
	.byte	0
	.byte	4
	.byte	8
	.byte	12
	.zero	1
	.zero	1
	.zero	1
	.zero	1
	.zero	1
	.zero	1
	.zero	1
	.zero	1
	.zero	1
	.zero	1
	.zero	1
	.zero	1
.LCPI8_2:
	.byte	0
	.byte	2
	.byte	4
	.byte	6
	.byte	8
	.byte	10
	.byte	12
	.byte	14
	.zero	1
	.zero	1
	.zero	1
	.zero	1
	.zero	1
	.zero	1
	.zero	1
	.zero	1
	.section	.rodata.cst32,"aM",@progbits,32
	.p2align	5, 0x0
.LCPI8_1:
	.short	255
	.short	255
	.short	255
	.short	255
	.short	255
	.short	255
	.short	255
	.short	255
	.short	255
	.short	255
	.short	255
	.short	255
	.short	255
	.short	255
	.short	255
	.short	255
	.section	.ltext,"axl",@progbits
	.weak	_ZN5numba7cpython7unicode14unicode_concat12_3clocals_3e11concat_implB3v36B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAw4hWqFpgsIBZmgA_3dE12unicode_type12unicode_type
	.p2align	4
	.type	_ZN5numba7cpython7unicode14unicode_concat12_3clocals_3e11concat_implB3v36B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAw4hWqFpgsIBZmgA_3dE12unicode_type12unicode_type,@function
_ZN5numba7cpython7unicode14unicode_concat12_3clocals_3e11concat_implB3v36B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAw4hWqFpgsIBZmgA_3dE12unicode_type12unicode_type:
	.cfi_startproc
	pushq	%rbp
	.cfi_def_cfa_offset 16
	pushq	%r15
	.cfi_def_cfa_offset 24
	pushq	%r14
	.cfi_def_cfa_offset 32
	pushq	%r13
	.cfi_def_cfa_offset 40
	pushq	%r12
	.cfi_def_cfa_offset 48
	pushq	%rbx
	.cfi_def_cfa_offset 56
	subq	$40, %rsp
	.cfi_def_cfa_offset 96
	.cfi_offset %rbx, -56
	.cfi_offset %r12, -48
	.cfi_offset %r13, -40
	.cfi_offset %r14, -32
	.cfi_offset %r15, -24
	.cfi_offset %rbp, -16
	movq	%rdi, 32(%rsp)
	movq	104(%rsp), %rdi
	movq	160(%rsp), %r12
	movabsq	$NRT_incref, %r15
	movl	%r9d, %r14d
	movl	%r8d, %ebx
	movq	%rcx, 16(%rsp)
	movq	%rdx, %rbp
	movq	%rsi, %r13
	callq	*%r15
	movq	%r12, %rdi
	callq	*%r15
	movabsq	$.const.picklebuf.83149161b0efc692d67f17db695bf2e20afa63b5, %rax
	testl	%ebx, %ebx
	je	.LBB8_12
	movl	136(%rsp), %r15d
	testl	%r15d, %r15d
	je	.LBB8_12
	movl	144(%rsp), %eax
	cmpl	$1, %ebx
	je	.LBB8_7
	movq	16(%rsp), %rcx
	cmpl	$4, %ebx
	je	.LBB8_6
	cmpl	$2, %ebx
	jne	.LBB8_11
	cmpl	$4, %r15d
	jne	.LBB8_13
.LBB8_6:
	xorl	$1, %r14d
	xorl	$1, %eax
	orl	%r14d, %eax
	movl	$4, %eax
	movl	$4, %r14d
	sete	15(%rsp)
	jmp	.LBB8_17
.LBB8_7:
	movq	16(%rsp), %rcx
	xorl	$1, %r14d
	xorl	$1, %eax
	orl	%r14d, %eax
	sete	%al
	cmpl	$1, %r15d
	je	.LBB8_15
	cmpl	$4, %r15d
	je	.LBB8_14
	cmpl	$2, %r15d
	jne	.LBB8_71
	movb	%al, 15(%rsp)
	movl	$2, %eax
	jmp	.LBB8_16
.LBB8_11:
	movabsq	$.const.picklebuf.e0bdf1f73f6cfea6e5882b4c37b1d6f2e32780e2, %rax
.LBB8_12:
	movq	%rax, (%r13)
	movl	$1, %eax
	jmp	.LBB8_139
.LBB8_13:
	xorl	$1, %r14d
	xorl	$1, %eax
	orl	%r14d, %eax
	movl	$2, %eax
	movl	$2, %r14d
	sete	15(%rsp)
	jmp	.LBB8_17
.LBB8_14:
	movb	%al, 15(%rsp)
	movl	$4, %eax
	jmp	.LBB8_16
.LBB8_15:
	movb	%al, 15(%rsp)
	movl	%r15d, %eax
.LBB8_16:
	movl	%r15d, %r14d
.LBB8_17:
	movq	128(%rsp), %r12
	leaq	(%r12,%rcx), %rdx
	leaq	1(%rdx), %rdi
	movq	%rdx, 24(%rsp)
	imulq	%rax, %rdi
	movabsq	$NRT_MemInfo_alloc, %rax
	callq	*%rax
	testq	%rax, %rax
	je	.LBB8_99
	movq	24(%rax), %r13
	cmpl	$4, %r14d
	je	.LBB8_21
	movq	16(%rsp), %r11
	cmpl	$2, %r14d
	jne	.LBB8_22
	movq	24(%rsp), %rcx
	movw	$0, (%r13,%rcx,2)
	testq	%r11, %r11
	jg	.LBB8_23
	jmp	.LBB8_124
.LBB8_21:
	movq	24(%rsp), %rcx
	movq	16(%rsp), %r11
	movl	$0, (%r13,%rcx,4)
	testq	%r11, %r11
	jg	.LBB8_23
	jmp	.LBB8_124
.LBB8_22:
	movq	24(%rsp), %rcx
	movb	$0, (%r13,%rcx)
	testq	%r11, %r11
	jle	.LBB8_124
.LBB8_23:
	cmpl	$1, %r14d
	je	.LBB8_27
	movl	%r11d, %ecx
	andl	$7, %ecx
	cmpl	$2, %r14d
	jne	.LBB8_32
	cmpq	$8, %r11
	jae	.LBB8_34
	xorl	%edx, %edx
	jmp	.LBB8_44
.LBB8_27:
	cmpl	$1, %ebx
	je	.LBB8_74
	cmpl	$2, %ebx
	je	.LBB8_72
	cmpl	$4, %ebx
	jne	.LBB8_78
	cmpq	$4, %r11
	jb	.LBB8_31
	leaq	(%rbp,%r11,4), %rcx
	leaq	(%r13,%r11), %rdx
	cmpq	%rcx, %r13
	setb	%cl
	cmpq	%rdx, %rbp
	setb	%dl
	testb	%dl, %cl
	je	.LBB8_97
.LBB8_31:
	xorl	%ecx, %ecx
.LBB8_119:
	movl	%r11d, %esi
	subl	%ecx, %esi
	movq	%rcx, %rdx
	andl	$7, %esi
	je	.LBB8_122
	movq	%rcx, %rdx
	.p2align	4
.LBB8_121:
	movzbl	(%rbp,%rdx,4), %edi
	decq	%rsi
	movb	%dil, (%r13,%rdx)
	leaq	1(%rdx), %rdx
	jne	.LBB8_121
.LBB8_122:
	subq	%r11, %rcx
	cmpq	$-8, %rcx
	ja	.LBB8_124
	.p2align	4
.LBB8_123:
	movzbl	(%rbp,%rdx,4), %ecx
	movb	%cl, (%r13,%rdx)
	movzbl	4(%rbp,%rdx,4), %ecx
	movb	%cl, 1(%r13,%rdx)
	movzbl	8(%rbp,%rdx,4), %ecx
	movb	%cl, 2(%r13,%rdx)
	movzbl	12(%rbp,%rdx,4), %ecx
	movb	%cl, 3(%r13,%rdx)
	movzbl	16(%rbp,%rdx,4), %ecx
	movb	%cl, 4(%r13,%rdx)
	movzbl	20(%rbp,%rdx,4), %ecx
	movb	%cl, 5(%r13,%rdx)
	movzbl	24(%rbp,%rdx,4), %ecx
	movb	%cl, 6(%r13,%rdx)
	movzbl	28(%rbp,%rdx,4), %ecx
	movb	%cl, 7(%r13,%rdx)
	addq	$8, %rdx
	cmpq	%rdx, %r11
	jne	.LBB8_123
	jmp	.LBB8_124
.LBB8_32:
	cmpq	$8, %r11
	jae	.LBB8_53
	xorl	%edx, %edx
	jmp	.LBB8_63
.LBB8_34:
	movabsq	$9223372036854775800, %rdx
	xorl	%esi, %esi
	andq	%r11, %rdx
	jmp	.LBB8_37
	.p2align	4
.LBB8_35:
	movzwl	(%rbp,%rsi,2), %edi
	movw	%di, (%r13,%rsi,2)
	movzwl	2(%rbp,%rsi,2), %edi
	movw	%di, 2(%r13,%rsi,2)
	movzwl	4(%rbp,%rsi,2), %edi
	movw	%di, 4(%r13,%rsi,2)
	movzwl	6(%rbp,%rsi,2), %edi
	movw	%di, 6(%r13,%rsi,2)
	movzwl	8(%rbp,%rsi,2), %edi
	movw	%di, 8(%r13,%rsi,2)
	movzwl	10(%rbp,%rsi,2), %edi
	movw	%di, 10(%r13,%rsi,2)
	movzwl	12(%rbp,%rsi,2), %edi
	movw	%di, 12(%r13,%rsi,2)
	movzwl	14(%rbp,%rsi,2), %edi
.LBB8_36:
	movw	%di, 14(%r13,%rsi,2)
	addq	$8, %rsi
	cmpq	%rsi, %rdx
	je	.LBB8_43
.LBB8_37:
	cmpl	$1, %ebx
	je	.LBB8_41
	cmpl	$2, %ebx
	je	.LBB8_35
	cmpl	$4, %ebx
	jne	.LBB8_42
	movzwl	(%rbp,%rsi,4), %edi
	movw	%di, (%r13,%rsi,2)
	movzwl	4(%rbp,%rsi,4), %edi
	movw	%di, 2(%r13,%rsi,2)
	movzwl	8(%rbp,%rsi,4), %edi
	movw	%di, 4(%r13,%rsi,2)
	movzwl	12(%rbp,%rsi,4), %edi
	movw	%di, 6(%r13,%rsi,2)
	movzwl	16(%rbp,%rsi,4), %edi
	movw	%di, 8(%r13,%rsi,2)
	movzwl	20(%rbp,%rsi,4), %edi
	movw	%di, 10(%r13,%rsi,2)
	movzwl	24(%rbp,%rsi,4), %edi
	movw	%di, 12(%r13,%rsi,2)
	movzwl	28(%rbp,%rsi,4), %edi
	jmp	.LBB8_36
	.p2align	4
.LBB8_41:
	movzbl	(%rbp,%rsi), %edi
	movw	%di, (%r13,%rsi,2)
	movzbl	1(%rbp,%rsi), %edi
	movw	%di, 2(%r13,%rsi,2)
	movzbl	2(%rbp,%rsi), %edi
	movw	%di, 4(%r13,%rsi,2)
	movzbl	3(%rbp,%rsi), %edi
	movw	%di, 6(%r13,%rsi,2)
	movzbl	4(%rbp,%rsi), %edi
	movw	%di, 8(%r13,%rsi,2)
	movzbl	5(%rbp,%rsi), %edi
	movw	%di, 10(%r13,%rsi,2)
	movzbl	6(%rbp,%rsi), %edi
	movw	%di, 12(%r13,%rsi,2)
	movzbl	7(%rbp,%rsi), %edi
	jmp	.LBB8_36
	.p2align	4
.LBB8_42:
	movq	$0, 6(%r13,%rsi,2)
	xorl	%edi, %edi
	movq	$0, (%r13,%rsi,2)
	jmp	.LBB8_36
.LBB8_43:
	testq	%rcx, %rcx
	je	.LBB8_124
.LBB8_44:
	leaq	(%r13,%rdx,2), %rsi
	leaq	(%rbp,%rdx), %rdi
	leaq	(%rbp,%rdx,2), %r8
	leaq	(%rbp,%rdx,4), %rdx
	xorl	%r9d, %r9d
	jmp	.LBB8_47
	.p2align	4
.LBB8_45:
	movzwl	(%r8,%r9,2), %r10d
.LBB8_46:
	movw	%r10w, (%rsi,%r9,2)
	incq	%r9
	cmpq	%r9, %rcx
	je	.LBB8_124
.LBB8_47:
	cmpl	$1, %ebx
	je	.LBB8_51
	cmpl	$2, %ebx
	je	.LBB8_45
	cmpl	$4, %ebx
	jne	.LBB8_52
	movzwl	(%rdx,%r9,4), %r10d
	jmp	.LBB8_46
	.p2align	4
.LBB8_51:
	movzbl	(%rdi,%r9), %r10d
	jmp	.LBB8_46
	.p2align	4
.LBB8_52:
	xorl	%r10d, %r10d
	jmp	.LBB8_46
.LBB8_53:
	movabsq	$9223372036854775800, %rdx
	xorl	%esi, %esi
	vpxor	%xmm0, %xmm0, %xmm0
	andq	%r11, %rdx
	jmp	.LBB8_56
	.p2align	4
.LBB8_54:
	movzwl	(%rbp,%rsi,2), %edi
	movl	%edi, (%r13,%rsi,4)
	movzwl	2(%rbp,%rsi,2), %edi
	movl	%edi, 4(%r13,%rsi,4)
	movzwl	4(%rbp,%rsi,2), %edi
	movl	%edi, 8(%r13,%rsi,4)
	movzwl	6(%rbp,%rsi,2), %edi
	movl	%edi, 12(%r13,%rsi,4)
	movzwl	8(%rbp,%rsi,2), %edi
	movl	%edi, 16(%r13,%rsi,4)
	movzwl	10(%rbp,%rsi,2), %edi
	movl	%edi, 20(%r13,%rsi,4)
	movzwl	12(%rbp,%rsi,2), %edi
	movl	%edi, 24(%r13,%rsi,4)
	movzwl	14(%rbp,%rsi,2), %edi
.LBB8_55:
	movl	%edi, 28(%r13,%rsi,4)
	addq	$8, %rsi
	cmpq	%rsi, %rdx
	je	.LBB8_62
.LBB8_56:
	cmpl	$1, %ebx
	je	.LBB8_60
	cmpl	$2, %ebx
	je	.LBB8_54
	cmpl	$4, %ebx
	jne	.LBB8_61
	movl	(%rbp,%rsi,4), %edi
	movl	%edi, (%r13,%rsi,4)
	movl	4(%rbp,%rsi,4), %edi
	movl	%edi, 4(%r13,%rsi,4)
	movl	8(%rbp,%rsi,4), %edi
	movl	%edi, 8(%r13,%rsi,4)
	movl	12(%rbp,%rsi,4), %edi
	movl	%edi, 12(%r13,%rsi,4)
	movl	16(%rbp,%rsi,4), %edi
	movl	%edi, 16(%r13,%rsi,4)
	movl	20(%rbp,%rsi,4), %edi
	movl	%edi, 20(%r13,%rsi,4)
	movl	24(%rbp,%rsi,4), %edi
	movl	%edi, 24(%r13,%rsi,4)
	movl	28(%rbp,%rsi,4), %edi
	jmp	.LBB8_55
	.p2align	4
.LBB8_60:
	movzbl	(%rbp,%rsi), %edi
	movl	%edi, (%r13,%rsi,4)
	movzbl	1(%rbp,%rsi), %edi
	movl	%edi, 4(%r13,%rsi,4)
	movzbl	2(%rbp,%rsi), %edi
	movl	%edi, 8(%r13,%rsi,4)
	movzbl	3(%rbp,%rsi), %edi
	movl	%edi, 12(%r13,%rsi,4)
	movzbl	4(%rbp,%rsi), %edi
	movl	%edi, 16(%r13,%rsi,4)
	movzbl	5(%rbp,%rsi), %edi
	movl	%edi, 20(%r13,%rsi,4)
	movzbl	6(%rbp,%rsi), %edi
	movl	%edi, 24(%r13,%rsi,4)
	movzbl	7(%rbp,%rsi), %edi
	jmp	.LBB8_55
	.p2align	4
.LBB8_61:
	vmovdqu	%xmm0, 12(%r13,%rsi,4)
	xorl	%edi, %edi
	vmovdqu	%xmm0, (%r13,%rsi,4)
	jmp	.LBB8_55
.LBB8_62:
	testq	%rcx, %rcx
	je	.LBB8_124
.LBB8_63:
	leaq	(%r13,%rdx,4), %rsi
	leaq	(%rbp,%rdx), %rdi
	leaq	(%rbp,%rdx,2), %r8
	leaq	(%rbp,%rdx,4), %rdx
	xorl	%r9d, %r9d
	jmp	.LBB8_66
	.p2align	4
.LBB8_64:
	movzwl	(%r8,%r9,2), %r10d
.LBB8_65:
	movl	%r10d, (%rsi,%r9,4)
	incq	%r9
	cmpq	%r9, %rcx
	je	.LBB8_124
.LBB8_66:
	cmpl	$1, %ebx
	je	.LBB8_70
	cmpl	$2, %ebx
	je	.LBB8_64
	movl	$0, %r10d
	cmpl	$4, %ebx
	jne	.LBB8_65
	movl	(%rdx,%r9,4), %r10d
	jmp	.LBB8_65
	.p2align	4
.LBB8_70:
	movzbl	(%rdi,%r9), %r10d
	jmp	.LBB8_65
.LBB8_71:
	movabsq	$.const.picklebuf.f1b7fb04c48ec275548795a7db56fc61abc2c702, %rax
	jmp	.LBB8_12
.LBB8_72:
	cmpq	$8, %r11
	jb	.LBB8_73
	leaq	(%rbp,%r11,2), %rcx
	leaq	(%r13,%r11), %rdx
	cmpq	%rcx, %r13
	setb	%cl
	cmpq	%rdx, %rbp
	setb	%dl
	testb	%dl, %cl
	je	.LBB8_83
.LBB8_73:
	xorl	%ecx, %ecx
.LBB8_107:
	movq	%r11, %rsi
	andq	$7, %rsi
	movq	%rcx, %rdx
	je	.LBB8_110
	movq	%rcx, %rdx
	.p2align	4
.LBB8_109:
	movzbl	(%rbp,%rdx,2), %edi
	decq	%rsi
	movb	%dil, (%r13,%rdx)
	leaq	1(%rdx), %rdx
	jne	.LBB8_109
.LBB8_110:
	subq	%r11, %rcx
	cmpq	$-8, %rcx
	ja	.LBB8_124
	.p2align	4
.LBB8_111:
	movzbl	(%rbp,%rdx,2), %ecx
	movb	%cl, (%r13,%rdx)
	movzbl	2(%rbp,%rdx,2), %ecx
	movb	%cl, 1(%r13,%rdx)
	movzbl	4(%rbp,%rdx,2), %ecx
	movb	%cl, 2(%r13,%rdx)
	movzbl	6(%rbp,%rdx,2), %ecx
	movb	%cl, 3(%r13,%rdx)
	movzbl	8(%rbp,%rdx,2), %ecx
	movb	%cl, 4(%r13,%rdx)
	movzbl	10(%rbp,%rdx,2), %ecx
	movb	%cl, 5(%r13,%rdx)
	movzbl	12(%rbp,%rdx,2), %ecx
	movb	%cl, 6(%r13,%rdx)
	movzbl	14(%rbp,%rdx,2), %ecx
	movb	%cl, 7(%r13,%rdx)
	addq	$8, %rdx
	cmpq	%rdx, %r11
	jne	.LBB8_111
	jmp	.LBB8_124
.LBB8_74:
	xorl	%ecx, %ecx
	cmpq	$8, %r11
	jb	.LBB8_92
	movq	%r13, %rdx
	subq	%rbp, %rdx
	cmpq	$128, %rdx
	jb	.LBB8_92
	movabsq	$9223372036854775800, %rdx
	cmpq	$128, %r11
	jae	.LBB8_85
	xorl	%ecx, %ecx
	jmp	.LBB8_89
.LBB8_78:
	movabsq	$memset, %rcx
	movq	%r13, %rdi
	xorl	%esi, %esi
	movq	%r11, %rdx
	movq	%rax, %rbx
	callq	*%rcx
	movq	16(%rsp), %r11
	movq	%rbx, %rax
	jmp	.LBB8_124
.LBB8_83:
	movabsq	$9223372036854775800, %rdx
	cmpq	$64, %r11
	jae	.LBB8_100
	xorl	%ecx, %ecx
	jmp	.LBB8_104
.LBB8_97:
	movabsq	$9223372036854775800, %rdx
	movabsq	$.LCPI8_0, %rsi
	cmpq	$32, %r11
	jae	.LBB8_112
	xorl	%ecx, %ecx
	jmp	.LBB8_116
.LBB8_85:
	leaq	-120(%rdx), %rcx
	xorl	%esi, %esi
	andq	%r11, %rcx
.LBB8_86:
	vmovdqu	(%rbp,%rsi), %ymm0
	vmovdqu	32(%rbp,%rsi), %ymm1
	vmovdqu	64(%rbp,%rsi), %ymm2
	vmovdqu	96(%rbp,%rsi), %ymm3
	vmovdqu	%ymm0, (%r13,%rsi)
	vmovdqu	%ymm1, 32(%r13,%rsi)
	vmovdqu	%ymm2, 64(%r13,%rsi)
	vmovdqu	%ymm3, 96(%r13,%rsi)
	subq	$-128, %rsi
	cmpq	%rsi, %rcx
	jne	.LBB8_86
	cmpq	%rcx, %r11
	je	.LBB8_124
	testb	$120, %r11b
	je	.LBB8_92
.LBB8_89:
	andq	%r11, %rdx
	.p2align	4
.LBB8_90:
	movq	(%rbp,%rcx), %rsi
	movq	%rsi, (%r13,%rcx)
	addq	$8, %rcx
	cmpq	%rcx, %rdx
	jne	.LBB8_90
	movq	%rdx, %rcx
	cmpq	%rdx, %r11
	je	.LBB8_124
.LBB8_92:
	movq	%r11, %rsi
	andq	$7, %rsi
	movq	%rcx, %rdx
	je	.LBB8_95
	movq	%rcx, %rdx
	.p2align	4
.LBB8_94:
	movzbl	(%rbp,%rdx), %edi
	decq	%rsi
	movb	%dil, (%r13,%rdx)
	leaq	1(%rdx), %rdx
	jne	.LBB8_94
.LBB8_95:
	subq	%r11, %rcx
	cmpq	$-8, %rcx
	ja	.LBB8_124
.LBB8_96:
	movzbl	(%rbp,%rdx), %ecx
	movb	%cl, (%r13,%rdx)
	movzbl	1(%rbp,%rdx), %ecx
	movb	%cl, 1(%r13,%rdx)
	movzbl	2(%rbp,%rdx), %ecx
	movb	%cl, 2(%r13,%rdx)
	movzbl	3(%rbp,%rdx), %ecx
	movb	%cl, 3(%r13,%rdx)
	movzbl	4(%rbp,%rdx), %ecx
	movb	%cl, 4(%r13,%rdx)
	movzbl	5(%rbp,%rdx), %ecx
	movb	%cl, 5(%r13,%rdx)
	movzbl	6(%rbp,%rdx), %ecx
	movb	%cl, 6(%r13,%rdx)
	movzbl	7(%rbp,%rdx), %ecx
	movb	%cl, 7(%r13,%rdx)
	addq	$8, %rdx
	cmpq	%rdx, %r11
	jne	.LBB8_96
	jmp	.LBB8_124
.LBB8_99:
	movabsq	$.const.picklebuf.ba289d81f05c7020f3477c15734804df65abe209.12, %rax
	jmp	.LBB8_12
.LBB8_100:
	movabsq	$.LCPI8_1, %rdi
	leaq	-56(%rdx), %rcx
	xorl	%esi, %esi
	vmovdqa	(%rdi), %ymm0
	andq	%r11, %rcx
.LBB8_101:
	vpand	(%rbp,%rsi,2), %ymm0, %ymm1
	vextracti128	$1, %ymm1, %xmm2
	vpackuswb	%xmm2, %xmm1, %xmm1
	vpand	32(%rbp,%rsi,2), %ymm0, %ymm2
	vextracti128	$1, %ymm2, %xmm3
	vpackuswb	%xmm3, %xmm2, %xmm2
	vpand	64(%rbp,%rsi,2), %ymm0, %ymm3
	vextracti128	$1, %ymm3, %xmm4
	vpackuswb	%xmm4, %xmm3, %xmm3
	vpand	96(%rbp,%rsi,2), %ymm0, %ymm4
	vmovdqu	%xmm1, (%r13,%rsi)
	vmovdqu	%xmm2, 16(%r13,%rsi)
	vmovdqu	%xmm3, 32(%r13,%rsi)
	vextracti128	$1, %ymm4, %xmm5
	vpackuswb	%xmm5, %xmm4, %xmm4
	vmovdqu	%xmm4, 48(%r13,%rsi)
	addq	$64, %rsi
	cmpq	%rsi, %rcx
	jne	.LBB8_101
	cmpq	%rcx, %r11
	je	.LBB8_124
	testb	$56, %r11b
	je	.LBB8_107
.LBB8_104:
	movabsq	$.LCPI8_2, %rsi
	andq	%r11, %rdx
	vmovdqa	(%rsi), %xmm0
.LBB8_105:
	vmovdqu	(%rbp,%rcx,2), %xmm1
	vpshufb	%xmm0, %xmm1, %xmm1
	vmovq	%xmm1, (%r13,%rcx)
	addq	$8, %rcx
	cmpq	%rcx, %rdx
	jne	.LBB8_105
	movq	%rdx, %rcx
	cmpq	%rdx, %r11
	je	.LBB8_124
	jmp	.LBB8_107
.LBB8_112:
	vmovdqa	(%rsi), %xmm0
	leaq	-24(%rdx), %rcx
	xorl	%edi, %edi
	andq	%r11, %rcx
.LBB8_113:
	vmovdqu	(%rbp,%rdi,4), %xmm1
	vmovdqu	16(%rbp,%rdi,4), %xmm2
	vmovdqu	32(%rbp,%rdi,4), %xmm3
	vmovdqu	48(%rbp,%rdi,4), %xmm4
	vmovdqu	96(%rbp,%rdi,4), %xmm5
	vpshufb	%xmm0, %xmm2, %xmm2
	vpshufb	%xmm0, %xmm1, %xmm1
	vpshufb	%xmm0, %xmm3, %xmm3
	vpshufb	%xmm0, %xmm5, %xmm5
	vpunpckldq	%xmm2, %xmm1, %xmm1
	vpshufb	%xmm0, %xmm4, %xmm2
	vmovdqu	64(%rbp,%rdi,4), %xmm4
	vpunpckldq	%xmm2, %xmm3, %xmm2
	vmovdqu	80(%rbp,%rdi,4), %xmm3
	vinserti128	$1, %xmm2, %ymm1, %ymm1
	vpshufb	%xmm0, %xmm4, %xmm4
	vpshufb	%xmm0, %xmm3, %xmm3
	vpunpckldq	%xmm3, %xmm4, %xmm3
	vmovdqu	112(%rbp,%rdi,4), %xmm4
	vpshufb	%xmm0, %xmm4, %xmm4
	vpunpckldq	%xmm4, %xmm5, %xmm4
	vinserti128	$1, %xmm4, %ymm3, %ymm3
	vpunpcklqdq	%ymm3, %ymm1, %ymm1
	vpermq	$216, %ymm1, %ymm1
	vmovdqu	%ymm1, (%r13,%rdi)
	addq	$32, %rdi
	cmpq	%rdi, %rcx
	jne	.LBB8_113
	cmpq	%rcx, %r11
	je	.LBB8_124
	testb	$28, %r11b
	je	.LBB8_119
.LBB8_116:
	vmovdqa	(%rsi), %xmm0
	addq	$4, %rdx
	movq	%rcx, %rdi
	movq	%rdx, %rcx
	andq	%r11, %rcx
.LBB8_117:
	vmovdqu	(%rbp,%rdi,4), %xmm1
	vpshufb	%xmm0, %xmm1, %xmm1
	vmovd	%xmm1, (%r13,%rdi)
	addq	$4, %rdi
	cmpq	%rdi, %rcx
	jne	.LBB8_117
	cmpq	%rcx, %r11
	jne	.LBB8_119
.LBB8_124:
	movzbl	15(%rsp), %ecx
	testq	%r12, %r12
	jle	.LBB8_138
	movq	120(%rsp), %rdx
	leaq	(%r13,%r11,2), %rdi
	leaq	(%r13,%r11,4), %r8
	leaq	(%r13,%r11), %rsi
	xorl	%r9d, %r9d
	jmp	.LBB8_128
	.p2align	4
.LBB8_126:
	movl	%r10d, (%r8,%r9,4)
.LBB8_127:
	incq	%r9
	cmpq	%r9, %r12
	je	.LBB8_138
.LBB8_128:
	cmpl	$4, %r15d
	je	.LBB8_133
	cmpl	$2, %r15d
	je	.LBB8_132
	cmpl	$1, %r15d
	jne	.LBB8_134
	movzbl	(%rdx,%r9), %r10d
	cmpl	$4, %r14d
	jne	.LBB8_135
	jmp	.LBB8_126
	.p2align	4
.LBB8_132:
	movzwl	(%rdx,%r9,2), %r10d
	cmpl	$4, %r14d
	jne	.LBB8_135
	jmp	.LBB8_126
	.p2align	4
.LBB8_133:
	movl	(%rdx,%r9,4), %r10d
	cmpl	$4, %r14d
	jne	.LBB8_135
	jmp	.LBB8_126
	.p2align	4
.LBB8_134:
	xorl	%r10d, %r10d
	cmpl	$4, %r14d
	je	.LBB8_126
.LBB8_135:
	cmpl	$2, %r14d
	jne	.LBB8_137
	movw	%r10w, (%rdi,%r9,2)
	jmp	.LBB8_127
	.p2align	4
.LBB8_137:
	movb	%r10b, (%rsi,%r9)
	jmp	.LBB8_127
.LBB8_138:
	movq	32(%rsp), %rdx
	movq	24(%rsp), %rsi
	movq	160(%rsp), %rdi
	movabsq	$NRT_decref, %rbx
	movq	%r13, (%rdx)
	movq	%rsi, 8(%rdx)
	movl	%r14d, 16(%rdx)
	movl	%ecx, 20(%rdx)
	movq	$-1, 24(%rdx)
	movq	%rax, 32(%rdx)
	movq	$0, 40(%rdx)
	vzeroupper
	callq	*%rbx
	movq	104(%rsp), %rdi
	callq	*%rbx
	xorl	%eax, %eax
.LBB8_139:
	addq	$40, %rsp
	.cfi_def_cfa_offset 56
	popq	%rbx
	.cfi_def_cfa_offset 48
	popq	%r12
	.cfi_def_cfa_offset 40
	popq	%r13
	.cfi_def_cfa_offset 32
	popq	%r14
	.cfi_def_cfa_offset 24
	popq	%r15
	.cfi_def_cfa_offset 16
	popq	%rbp
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end8:
	.size	_ZN5numba7cpython7unicode14unicode_concat12_3clocals_3e11concat_implB3v36B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAw4hWqFpgsIBZmgA_3dE12unicode_type12unicode_type, .Lfunc_end8-_ZN5numba7cpython7unicode14unicode_concat12_3clocals_3e11concat_implB3v36B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAw4hWqFpgsIBZmgA_3dE12unicode_type12unicode_type
	.cfi_endproc

	.weak	__excinfo_unwrap_args2a69829f126f4a7013ea1e2468c3325e564f5cc6
	.p2align	4
	.type	__excinfo_unwrap_args2a69829f126f4a7013ea1e2468c3325e564f5cc6,@function
__excinfo_unwrap_args2a69829f126f4a7013ea1e2468c3325e564f5cc6:
	pushq	%r15
	pushq	%r14
	pushq	%rbx
	movabsq	$_ZN08NumbaEnv5numba2np8arrayobj31ol_raise_with_shape_context_cpu12_3clocals_3e4implB3v15B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAw4hWqFpgsIBZmgA_3dE8UniTupleIxLi1EE8UniTupleIxLi1EE, %rax
	cmpq	$0, (%rax)
	je	.LBB9_1
	movq	(%rdi), %rsi
	movq	8(%rdi), %rdx
	movl	16(%rdi), %eax
	movq	32(%rdi), %rbx
	movabsq	$PyUnicode_FromKindAndData, %rcx
	movq	%rdi, %r14
	movl	%eax, %edi
	callq	*%rcx
	movq	%rax, %r15
	movabsq	$PyObject_Hash, %rax
	movq	%r15, %rdi
	callq	*%rax
	movabsq	$NRT_decref, %rax
	movq	%rbx, %rdi
	callq	*%rax
	movabsq	$NRT_Free, %rax
	movq	%r14, %rdi
	callq	*%rax
	movabsq	$PyTuple_Pack, %rcx
	movl	$1, %edi
	movq	%r15, %rsi
	xorl	%eax, %eax
	popq	%rbx
	popq	%r14
	popq	%r15
	jmpq	*%rcx
.LBB9_1:
	movabsq	$PyExc_RuntimeError, %rdi
	movabsq	$".const.missing Environment: _ZN08NumbaEnv5numba2np8arrayobj31ol_raise_with_shape_context_cpu12_3clocals_3e4implB3v15B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAw4hWqFpgsIBZmgA_3dE8UniTupleIxLi1EE8UniTupleIxLi1EE", %rsi
	movabsq	$PyErr_SetString, %rax
	callq	*%rax
	xorl	%eax, %eax
	popq	%rbx
	popq	%r14
	popq	%r15
	retq
.Lfunc_end9:
	.size	__excinfo_unwrap_args2a69829f126f4a7013ea1e2468c3325e564f5cc6, .Lfunc_end9-__excinfo_unwrap_args2a69829f126f4a7013ea1e2468c3325e564f5cc6

	.weak	_ZN9privboost7kernels5route6_rangeB3v12B56c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAK4JJIqUWsIgmAA_3d_3dEx5ArrayIiLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIbLi1E1C7mutable7alignedE
	.p2align	4
	.type	_ZN9privboost7kernels5route6_rangeB3v12B56c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAK4JJIqUWsIgmAA_3d_3dEx5ArrayIiLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIbLi1E1C7mutable7alignedE,@function
_ZN9privboost7kernels5route6_rangeB3v12B56c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAK4JJIqUWsIgmAA_3d_3dEx5ArrayIiLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIbLi1E1C7mutable7alignedE:
	.cfi_startproc
	pushq	%rbp
	.cfi_def_cfa_offset 16
	pushq	%r15
	.cfi_def_cfa_offset 24
	pushq	%r14
	.cfi_def_cfa_offset 32
	pushq	%r13
	.cfi_def_cfa_offset 40
	pushq	%r12
	.cfi_def_cfa_offset 48
	pushq	%rbx
	.cfi_def_cfa_offset 56
	pushq	%rax
	.cfi_def_cfa_offset 64
	.cfi_offset %rbx, -56
	.cfi_offset %r12, -48
	.cfi_offset %r13, -40
	.cfi_offset %r14, -32
	.cfi_offset %r15, -24
	.cfi_offset %rbp, -16
	movq	96(%rsp), %rbp
	movq	208(%rsp), %r12
	movq	152(%rsp), %r13
	movabsq	$NRT_incref, %r14
	movq	%rdi, %rbx
	movq	%rdx, %r15
	movq	%rbp, %rdi
	callq	*%r14
	movq	%r13, %rdi
	callq	*%r14
	movq	%r12, %rdi
	callq	*%r14
	testq	%r15, %r15
	js	.LBB10_4
	movq	72(%rsp), %r14
	cmpl	$0, (%r14,%r15,4)
	js	.LBB10_4
	movq	184(%rsp), %rax
	movq	240(%rsp), %rdx
	movq	128(%rsp), %rcx
	movzbl	(%rax,%r15), %ebp
	cmpb	%bpl, (%rcx,%r15)
	jbe	.LBB10_6
	cmpb	$0, (%rdx,%r15)
	movq	96(%rsp), %rbp
	je	.LBB10_4
	movabsq	$NRT_decref, %rbp
	movq	%r12, %rdi
	callq	*%rbp
	movq	%r13, %rdi
	callq	*%rbp
	movq	96(%rsp), %rdi
	callq	*%rbp
	movslq	(%r14,%r15,4), %r14
	xorl	%r13d, %r13d
	xorl	%ebp, %ebp
	xorl	%r15d, %r15d
	jmp	.LBB10_10
.LBB10_4:
	movabsq	$NRT_decref, %r14
	movq	%r12, %rdi
	callq	*%r14
	movq	%r13, %rdi
	callq	*%r14
	movq	%rbp, %rdi
	callq	*%r14
	movb	$1, %r13b
	movq	$-1, %r14
	xorl	%ebp, %ebp
	movb	$1, %r15b
	jmp	.LBB10_10
.LBB10_6:
	movabsq	$NRT_decref, %rax
	movq	%r13, %rdi
	callq	*%rax
	movq	128(%rsp), %rax
	movslq	(%r14,%r15,4), %r14
	movq	%r12, %rdi
	movabsq	$NRT_decref, %r12
	movzbl	(%rax,%r15), %r13d
	movq	240(%rsp), %rax
	movzbl	(%rax,%r15), %eax
	subb	%r13b, %bpl
	movb	%al, 7(%rsp)
	callq	*%r12
	cmpb	$0, 7(%rsp)
	je	.LBB10_8
	xorl	%r15d, %r15d
	jmp	.LBB10_9
.LBB10_8:
	movq	128(%rsp), %rax
	movzbl	(%rax,%r15), %r15d
.LBB10_9:
	movq	96(%rsp), %rdi
	callq	*%r12
.LBB10_10:
	movq	%r14, (%rbx)
	movb	%r13b, 8(%rbx)
	movb	%bpl, 9(%rbx)
	movb	%r15b, 10(%rbx)
	xorl	%eax, %eax
	addq	$8, %rsp
	.cfi_def_cfa_offset 56
	popq	%rbx
	.cfi_def_cfa_offset 48
	popq	%r12
	.cfi_def_cfa_offset 40
	popq	%r13
	.cfi_def_cfa_offset 32
	popq	%r14
	.cfi_def_cfa_offset 24
	popq	%r15
	.cfi_def_cfa_offset 16
	popq	%rbp
	.cfi_def_cfa_offset 8
	retq
.Lfunc_end10:
	.size	_ZN9privboost7kernels5route6_rangeB3v12B56c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAK4JJIqUWsIgmAA_3d_3dEx5ArrayIiLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIbLi1E1C7mutable7alignedE, .Lfunc_end10-_ZN9privboost7kernels5route6_rangeB3v12B56c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAK4JJIqUWsIgmAA_3d_3dEx5ArrayIiLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIbLi1E1C7mutable7alignedE
	.cfi_endproc

	.type	.const.leaf_of_rows,@object
	.section	.lrodata,"al",@progbits
.const.leaf_of_rows:
	.asciz	"leaf_of_rows"
	.size	.const.leaf_of_rows, 13

	.type	_ZN08NumbaEnv9privboost7kernels5route12leaf_of_rowsB2v1B56c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAK4JJIqUWsIgmAA_3d_3dE5ArrayIhLi2E1C7mutable7alignedEx5ArrayIiLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIbLi1E1C7mutable7alignedE5ArrayIiLi1E1C7mutable7alignedE,@object
	.comm	_ZN08NumbaEnv9privboost7kernels5route12leaf_of_rowsB2v1B56c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAK4JJIqUWsIgmAA_3d_3dE5ArrayIhLi2E1C7mutable7alignedEx5ArrayIiLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIbLi1E1C7mutable7alignedE5ArrayIiLi1E1C7mutable7alignedE,8,8
	.type	".const.missing Environment: _ZN08NumbaEnv9privboost7kernels5route12leaf_of_rowsB2v1B56c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAK4JJIqUWsIgmAA_3d_3dE5ArrayIhLi2E1C7mutable7alignedEx5ArrayIiLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIbLi1E1C7mutable7alignedE5ArrayIiLi1E1C7mutable7alignedE",@object
	.p2align	4, 0x0
".const.missing Environment: _ZN08NumbaEnv9privboost7kernels5route12leaf_of_rowsB2v1B56c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAK4JJIqUWsIgmAA_3d_3dE5ArrayIhLi2E1C7mutable7alignedEx5ArrayIiLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIbLi1E1C7mutable7alignedE5ArrayIiLi1E1C7mutable7alignedE":
	.asciz	"missing Environment: _ZN08NumbaEnv9privboost7kernels5route12leaf_of_rowsB2v1B56c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAK4JJIqUWsIgmAA_3d_3dE5ArrayIhLi2E1C7mutable7alignedEx5ArrayIiLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIbLi1E1C7mutable7alignedE5ArrayIiLi1E1C7mutable7alignedE"
	.size	".const.missing Environment: _ZN08NumbaEnv9privboost7kernels5route12leaf_of_rowsB2v1B56c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAK4JJIqUWsIgmAA_3d_3dE5ArrayIhLi2E1C7mutable7alignedEx5ArrayIiLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIbLi1E1C7mutable7alignedE5ArrayIiLi1E1C7mutable7alignedE", 324

	.type	".const.can't unbox array from PyObject into native value.  The object maybe of a different type",@object
	.p2align	4, 0x0
".const.can't unbox array from PyObject into native value.  The object maybe of a different type":
	.asciz	"can't unbox array from PyObject into native value.  The object maybe of a different type"
	.size	".const.can't unbox array from PyObject into native value.  The object maybe of a different type", 89

	.type	".const.Error creating Python tuple from runtime exception arguments",@object
	.p2align	4, 0x0
".const.Error creating Python tuple from runtime exception arguments":
	.asciz	"Error creating Python tuple from runtime exception arguments"
	.size	".const.Error creating Python tuple from runtime exception arguments", 61

	.type	".const.unknown error when calling native function",@object
	.p2align	4, 0x0
".const.unknown error when calling native function":
	.asciz	"unknown error when calling native function"
	.size	".const.unknown error when calling native function", 43

	.type	".const.Error creating Python tuple from runtime exception arguments.1",@object
	.p2align	4, 0x0
".const.Error creating Python tuple from runtime exception arguments.1":
	.asciz	"Error creating Python tuple from runtime exception arguments"
	.size	".const.Error creating Python tuple from runtime exception arguments.1", 61

	.type	".const.unknown error when calling native function.2",@object
	.p2align	4, 0x0
".const.unknown error when calling native function.2":
	.asciz	"unknown error when calling native function"
	.size	".const.unknown error when calling native function.2", 43

	.type	".const.<numba.core.cpu.CPUContext>",@object
	.p2align	4, 0x0
".const.<numba.core.cpu.CPUContext>":
	.asciz	"<numba.core.cpu.CPUContext>"
	.size	".const.<numba.core.cpu.CPUContext>", 28

	.type	_ZN08NumbaEnv9privboost7kernels5route11_work_spaceB2v4B56c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAK4JJIqUWsIgmAA_3d_3dExx,@object
	.comm	_ZN08NumbaEnv9privboost7kernels5route11_work_spaceB2v4B56c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAK4JJIqUWsIgmAA_3d_3dExx,8,8
	.type	_ZN08NumbaEnv5numba2np8arrayobj11ol_np_empty12_3clocals_3e4implB2v7B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAw4hWqFpgsIBZmgA_3dE8UniTupleIxLi3EE16class_28uint8_29,@object
	.comm	_ZN08NumbaEnv5numba2np8arrayobj11ol_np_empty12_3clocals_3e4implB2v7B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAw4hWqFpgsIBZmgA_3dE8UniTupleIxLi3EE16class_28uint8_29,8,8
	.type	.const.pickledata.331b8563bdb9dac81b38422273052c486fc1706b,@object
	.p2align	4, 0x0
.const.pickledata.331b8563bdb9dac81b38422273052c486fc1706b:
	.ascii	"\200\004\225B\000\000\000\000\000\000\000\214\bbuiltins\224\214\nValueError\224\223\224\214\037negative dimensions not allowed\224\205\224N\207\224."
	.size	.const.pickledata.331b8563bdb9dac81b38422273052c486fc1706b, 77

	.type	.const.pickledata.331b8563bdb9dac81b38422273052c486fc1706b.sha1,@object
	.p2align	4, 0x0
.const.pickledata.331b8563bdb9dac81b38422273052c486fc1706b.sha1:
	.ascii	"3\033\205c\275\271\332\310\0338B\"s\005,Ho\301pk"
	.size	.const.pickledata.331b8563bdb9dac81b38422273052c486fc1706b.sha1, 20

	.type	.const.picklebuf.331b8563bdb9dac81b38422273052c486fc1706b,@object
	.p2align	4, 0x0
.const.picklebuf.331b8563bdb9dac81b38422273052c486fc1706b:
	.quad	.const.pickledata.331b8563bdb9dac81b38422273052c486fc1706b
	.long	77
	.zero	4
	.quad	.const.pickledata.331b8563bdb9dac81b38422273052c486fc1706b.sha1
	.quad	0
	.long	0
	.zero	4
	.size	.const.picklebuf.331b8563bdb9dac81b38422273052c486fc1706b, 40

	.type	.const.pickledata.58e14eccb507b1e0206981740223e685cb8c3c57,@object
	.p2align	4, 0x0
.const.pickledata.58e14eccb507b1e0206981740223e685cb8c3c57:
	.ascii	"\200\004\225~\000\000\000\000\000\000\000\214\bbuiltins\224\214\nValueError\224\223\224\214[array is too big; `arr.size * arr.dtype.itemsize` is larger than the maximum possible size.\224\205\224N\207\224."
	.size	.const.pickledata.58e14eccb507b1e0206981740223e685cb8c3c57, 137

	.type	.const.pickledata.58e14eccb507b1e0206981740223e685cb8c3c57.sha1,@object
	.p2align	4, 0x0
.const.pickledata.58e14eccb507b1e0206981740223e685cb8c3c57.sha1:
	.ascii	"X\341N\314\265\007\261\340 i\201t\002#\346\205\313\214<W"
	.size	.const.pickledata.58e14eccb507b1e0206981740223e685cb8c3c57.sha1, 20

	.type	.const.picklebuf.58e14eccb507b1e0206981740223e685cb8c3c57,@object
	.p2align	4, 0x0
.const.picklebuf.58e14eccb507b1e0206981740223e685cb8c3c57:
	.quad	.const.pickledata.58e14eccb507b1e0206981740223e685cb8c3c57
	.long	137
	.zero	4
	.quad	.const.pickledata.58e14eccb507b1e0206981740223e685cb8c3c57.sha1
	.quad	0
	.long	0
	.zero	4
	.size	.const.picklebuf.58e14eccb507b1e0206981740223e685cb8c3c57, 40

	.type	_ZN08NumbaEnv5numba2np8arrayobj15_call_allocatorB2v8B42c8tJTC_2fWQA93W1AaAIYBPIqRBFCjDSZRVAJmaQIAEN29typeref_5b_3cclass_20_27numba4core5types8npytypes14Array_27_3e_5dExj,@object
	.comm	_ZN08NumbaEnv5numba2np8arrayobj15_call_allocatorB2v8B42c8tJTC_2fWQA93W1AaAIYBPIqRBFCjDSZRVAJmaQIAEN29typeref_5b_3cclass_20_27numba4core5types8npytypes14Array_27_3e_5dExj,8,8
	.type	_ZN08NumbaEnv5numba2np8arrayobj18_ol_array_allocate12_3clocals_3e4implB2v9B42c8tJTIeFIjxB2IKSgI4CrvQClcaMQ5hEEUSJJgA_3dEN29typeref_5b_3cclass_20_27numba4core5types8npytypes14Array_27_3e_5dExj,@object
	.comm	_ZN08NumbaEnv5numba2np8arrayobj18_ol_array_allocate12_3clocals_3e4implB2v9B42c8tJTIeFIjxB2IKSgI4CrvQClcaMQ5hEEUSJJgA_3dEN29typeref_5b_3cclass_20_27numba4core5types8npytypes14Array_27_3e_5dExj,8,8
	.type	.const.pickledata.ba289d81f05c7020f3477c15734804df65abe209,@object
	.p2align	4, 0x0
.const.pickledata.ba289d81f05c7020f3477c15734804df65abe209:
	.ascii	"\200\004\225K\000\000\000\000\000\000\000\214\bbuiltins\224\214\013MemoryError\224\223\224\214'Allocation failed (probably too large).\224\205\224N\207\224."
	.size	.const.pickledata.ba289d81f05c7020f3477c15734804df65abe209, 86

	.type	.const.pickledata.ba289d81f05c7020f3477c15734804df65abe209.sha1,@object
	.p2align	4, 0x0
.const.pickledata.ba289d81f05c7020f3477c15734804df65abe209.sha1:
	.ascii	"\272(\235\201\360\\p \363G|\025sH\004\337e\253\342\t"
	.size	.const.pickledata.ba289d81f05c7020f3477c15734804df65abe209.sha1, 20

	.type	.const.picklebuf.ba289d81f05c7020f3477c15734804df65abe209,@object
	.p2align	4, 0x0
.const.picklebuf.ba289d81f05c7020f3477c15734804df65abe209:
	.quad	.const.pickledata.ba289d81f05c7020f3477c15734804df65abe209
	.long	86
	.zero	4
	.quad	.const.pickledata.ba289d81f05c7020f3477c15734804df65abe209.sha1
	.quad	0
	.long	0
	.zero	4
	.size	.const.picklebuf.ba289d81f05c7020f3477c15734804df65abe209, 40

	.type	_ZN08NumbaEnv5numba7cpython8builtins6ol_min12_3clocals_3e4implB2v2B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAw4hWqFpgsIBZmgA_3dE15StarArgUniTupleIxLi2EE,@object
	.comm	_ZN08NumbaEnv5numba7cpython8builtins6ol_min12_3clocals_3e4implB2v2B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAw4hWqFpgsIBZmgA_3dE15StarArgUniTupleIxLi2EE,8,8
	.type	.const.pickledata.ba289d81f05c7020f3477c15734804df65abe209.14,@object
	.p2align	4, 0x0
.const.pickledata.ba289d81f05c7020f3477c15734804df65abe209.14:
	.ascii	"\200\004\225K\000\000\000\000\000\000\000\214\bbuiltins\224\214\013MemoryError\224\223\224\214'Allocation failed (probably too large).\224\205\224N\207\224."
	.size	.const.pickledata.ba289d81f05c7020f3477c15734804df65abe209.14, 86

	.type	.const.pickledata.ba289d81f05c7020f3477c15734804df65abe209.sha1.15,@object
	.p2align	4, 0x0
.const.pickledata.ba289d81f05c7020f3477c15734804df65abe209.sha1.15:
	.ascii	"\272(\235\201\360\\p \363G|\025sH\004\337e\253\342\t"
	.size	.const.pickledata.ba289d81f05c7020f3477c15734804df65abe209.sha1.15, 20

	.type	.const.picklebuf.ba289d81f05c7020f3477c15734804df65abe209.13,@object
	.p2align	4, 0x0
.const.picklebuf.ba289d81f05c7020f3477c15734804df65abe209.13:
	.quad	.const.pickledata.ba289d81f05c7020f3477c15734804df65abe209.14
	.long	86
	.zero	4
	.quad	.const.pickledata.ba289d81f05c7020f3477c15734804df65abe209.sha1.15
	.quad	0
	.long	0
	.zero	4
	.size	.const.picklebuf.ba289d81f05c7020f3477c15734804df65abe209.13, 40

	.type	_ZN08NumbaEnv9privboost7kernels5route7_leavesB3v10B56c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAK4JJIqUWsIgmAA_3d_3dE5ArrayIhLi2E1C7mutable7alignedExx5ArrayIiLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIbLi1E1C7mutable7alignedE5ArrayIhLi3E1C7mutable7alignedE5ArrayIiLi1E1C7mutable7alignedE,@object
	.comm	_ZN08NumbaEnv9privboost7kernels5route7_leavesB3v10B56c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAK4JJIqUWsIgmAA_3d_3dE5ArrayIhLi2E1C7mutable7alignedExx5ArrayIiLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIbLi1E1C7mutable7alignedE5ArrayIhLi3E1C7mutable7alignedE5ArrayIiLi1E1C7mutable7alignedE,8,8
	.type	_ZN08NumbaEnv5numba7cpython8builtins6ol_min12_3clocals_3e4implB2v5B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAw4hWqFpgsIBZmgA_3dE15StarArgUniTupleIxLi2EE,@object
	.comm	_ZN08NumbaEnv5numba7cpython8builtins6ol_min12_3clocals_3e4implB2v5B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAw4hWqFpgsIBZmgA_3dE15StarArgUniTupleIxLi2EE,8,8
	.type	_ZN08NumbaEnv9privboost7kernels5route13_upper_leavesB3v11B56c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAK4JJIqUWsIgmAA_3d_3dE5ArrayIhLi2E1C7mutable7alignedExx5ArrayIiLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIbLi1E1C7mutable7alignedE5ArrayIhLi3E1A7mutable7alignedE,@object
	.comm	_ZN08NumbaEnv9privboost7kernels5route13_upper_leavesB3v11B56c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAK4JJIqUWsIgmAA_3d_3dE5ArrayIhLi2E1C7mutable7alignedExx5ArrayIiLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIbLi1E1C7mutable7alignedE5ArrayIhLi3E1A7mutable7alignedE,8,8
	.type	_ZN08NumbaEnv5numba7cpython8builtins6ol_max12_3clocals_3e4implB2v6B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAw4hWqFpgsIBZmgA_3dE15StarArgUniTupleIxLi2EE,@object
	.comm	_ZN08NumbaEnv5numba7cpython8builtins6ol_max12_3clocals_3e4implB2v6B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAw4hWqFpgsIBZmgA_3dE15StarArgUniTupleIxLi2EE,8,8
	.type	_ZN08NumbaEnv9privboost7kernels5route6_rangeB3v12B56c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAK4JJIqUWsIgmAA_3d_3dEx5ArrayIiLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIbLi1E1C7mutable7alignedE,@object
	.comm	_ZN08NumbaEnv9privboost7kernels5route6_rangeB3v12B56c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAK4JJIqUWsIgmAA_3d_3dEx5ArrayIiLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIbLi1E1C7mutable7alignedE,8,8
	.type	_ZN08NumbaEnv9privboost7kernels5route6_rightB3v13B56c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAK4JJIqUWsIgmAA_3d_3dEhhhh,@object
	.comm	_ZN08NumbaEnv9privboost7kernels5route6_rightB3v13B56c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAK4JJIqUWsIgmAA_3d_3dEhhhh,8,8
	.type	_ZN08NumbaEnv5numba2np8arrayobj31ol_raise_with_shape_context_cpu12_3clocals_3e4implB3v15B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAw4hWqFpgsIBZmgA_3dE8UniTupleIxLi1EE8UniTupleIxLi1EE,@object
	.comm	_ZN08NumbaEnv5numba2np8arrayobj31ol_raise_with_shape_context_cpu12_3clocals_3e4implB3v15B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAw4hWqFpgsIBZmgA_3dE8UniTupleIxLi1EE8UniTupleIxLi1EE,8,8
	.type	.bytes.5672296005145982241,@object
.bytes.5672296005145982241:
	.asciz	"("
	.size	.bytes.5672296005145982241, 2

	.type	.bytes.5476400652381159381,@object
.bytes.5476400652381159381:
	.asciz	",)"
	.size	.bytes.5476400652381159381, 3

	.type	.bytes.8892581685632005052,@object
	.p2align	4, 0x0
.bytes.8892581685632005052:
	.asciz	"cannot assign slice of shape "
	.size	.bytes.8892581685632005052, 30

	.type	".bytes.-2687903474131752029",@object
	.p2align	4, 0x0
".bytes.-2687903474131752029":
	.asciz	" from input of shape "
	.size	".bytes.-2687903474131752029", 22

	.type	.const.pickledata.538f24ddc49600304aad96856f43891e57e289a3,@object
	.p2align	4, 0x0
.const.pickledata.538f24ddc49600304aad96856f43891e57e289a3:
	.ascii	"\200\004\225\213\001\000\000\000\000\000\000\214\bbuiltins\224\214\nValueError\224\223\224\214\022llvmlite.ir.values\224\214\bConstant\224\223\224)\201\224}\224(\214\004type\224\214\021llvmlite.ir.types\224\214\021_TypedPointerType\224\223\224)\201\224}\224(\214\taddrspace\224K\000\214\007pointee\224h\t\214\007IntType\224\223\224K\b\205\224\201\224}\224(\214\005width\224K\b\214\027_StrCaching__cached_str\224\214\002i8\224ub\214\tis_opaque\224\211h\026\214\003i8*\224ub\214\bconstant\224N\214&_StringReferenceCaching__cached_refstr\224\214\004null\224h\026\214\bi8* null\224ub\205\224\214\004impl\224\214B/work/main/.venv/lib/python3.11/site-packages/numba/np/arrayobj.py\224M\267\007\207\224\207\224."
	.size	.const.pickledata.538f24ddc49600304aad96856f43891e57e289a3, 406

	.type	.const.pickledata.ba289d81f05c7020f3477c15734804df65abe209.14.17,@object
	.p2align	4, 0x0
.const.pickledata.ba289d81f05c7020f3477c15734804df65abe209.14.17:
	.ascii	"\200\004\225K\000\000\000\000\000\000\000\214\bbuiltins\224\214\013MemoryError\224\223\224\214'Allocation failed (probably too large).\224\205\224N\207\224."
	.size	.const.pickledata.ba289d81f05c7020f3477c15734804df65abe209.14.17, 86

	.type	.const.pickledata.ba289d81f05c7020f3477c15734804df65abe209.sha1.15.18,@object
	.p2align	4, 0x0
.const.pickledata.ba289d81f05c7020f3477c15734804df65abe209.sha1.15.18:
	.ascii	"\272(\235\201\360\\p \363G|\025sH\004\337e\253\342\t"
	.size	.const.pickledata.ba289d81f05c7020f3477c15734804df65abe209.sha1.15.18, 20

	.type	.const.picklebuf.ba289d81f05c7020f3477c15734804df65abe209.13.16,@object
	.p2align	4, 0x0
.const.picklebuf.ba289d81f05c7020f3477c15734804df65abe209.13.16:
	.quad	.const.pickledata.ba289d81f05c7020f3477c15734804df65abe209.14.17
	.long	86
	.zero	4
	.quad	.const.pickledata.ba289d81f05c7020f3477c15734804df65abe209.sha1.15.18
	.quad	0
	.long	0
	.zero	4
	.size	.const.picklebuf.ba289d81f05c7020f3477c15734804df65abe209.13.16, 40

	.type	".const.missing Environment: _ZN08NumbaEnv5numba2np8arrayobj31ol_raise_with_shape_context_cpu12_3clocals_3e4implB3v15B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAw4hWqFpgsIBZmgA_3dE8UniTupleIxLi1EE8UniTupleIxLi1EE",@object
	.p2align	4, 0x0
".const.missing Environment: _ZN08NumbaEnv5numba2np8arrayobj31ol_raise_with_shape_context_cpu12_3clocals_3e4implB3v15B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAw4hWqFpgsIBZmgA_3dE8UniTupleIxLi1EE8UniTupleIxLi1EE":
	.asciz	"missing Environment: _ZN08NumbaEnv5numba2np8arrayobj31ol_raise_with_shape_context_cpu12_3clocals_3e4implB3v15B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAw4hWqFpgsIBZmgA_3dE8UniTupleIxLi1EE8UniTupleIxLi1EE"
	.size	".const.missing Environment: _ZN08NumbaEnv5numba2np8arrayobj31ol_raise_with_shape_context_cpu12_3clocals_3e4implB3v15B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAw4hWqFpgsIBZmgA_3dE8UniTupleIxLi1EE8UniTupleIxLi1EE", 200

	.type	_ZN08NumbaEnv5numba7cpython8builtins14ol_str_generic12_3clocals_3e4implB3v18B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAw4hWqFpgsIBZmgA_3dEx,@object
	.comm	_ZN08NumbaEnv5numba7cpython8builtins14ol_str_generic12_3clocals_3e4implB3v18B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAw4hWqFpgsIBZmgA_3dEx,8,8
	.type	_ZN08NumbaEnv5numba7cpython8builtins12ol_getattr_212_3clocals_3e4implB3v21B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAw4hWqFpgsIBZmgA_3dEx29Literal_5bstr_5d_28__str___29,@object
	.comm	_ZN08NumbaEnv5numba7cpython8builtins12ol_getattr_212_3clocals_3e4implB3v21B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAw4hWqFpgsIBZmgA_3dEx29Literal_5bstr_5d_28__str___29,8,8
	.type	_ZN08NumbaEnv5numba7cpython7unicode11integer_str12_3clocals_3e4implB3v22B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAw4hWqFpgsIBZmgA_3dEx,@object
	.comm	_ZN08NumbaEnv5numba7cpython7unicode11integer_str12_3clocals_3e4implB3v22B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAw4hWqFpgsIBZmgA_3dEx,8,8
	.type	.bytes.3639838892131356329,@object
.bytes.3639838892131356329:
	.asciz	"0"
	.size	.bytes.3639838892131356329, 2

	.type	.const.pickledata.ba289d81f05c7020f3477c15734804df65abe209.4,@object
	.p2align	4, 0x0
.const.pickledata.ba289d81f05c7020f3477c15734804df65abe209.4:
	.ascii	"\200\004\225K\000\000\000\000\000\000\000\214\bbuiltins\224\214\013MemoryError\224\223\224\214'Allocation failed (probably too large).\224\205\224N\207\224."
	.size	.const.pickledata.ba289d81f05c7020f3477c15734804df65abe209.4, 86

	.type	.const.pickledata.ba289d81f05c7020f3477c15734804df65abe209.sha1.5,@object
	.p2align	4, 0x0
.const.pickledata.ba289d81f05c7020f3477c15734804df65abe209.sha1.5:
	.ascii	"\272(\235\201\360\\p \363G|\025sH\004\337e\253\342\t"
	.size	.const.pickledata.ba289d81f05c7020f3477c15734804df65abe209.sha1.5, 20

	.type	.const.picklebuf.ba289d81f05c7020f3477c15734804df65abe209.3,@object
	.p2align	4, 0x0
.const.picklebuf.ba289d81f05c7020f3477c15734804df65abe209.3:
	.quad	.const.pickledata.ba289d81f05c7020f3477c15734804df65abe209.4
	.long	86
	.zero	4
	.quad	.const.pickledata.ba289d81f05c7020f3477c15734804df65abe209.sha1.5
	.quad	0
	.long	0
	.zero	4
	.size	.const.picklebuf.ba289d81f05c7020f3477c15734804df65abe209.3, 40

	.type	_ZN08NumbaEnv5numba7cpython8builtins6ol_int12_3clocals_3e4implB3v23B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAw4hWqFpgsIBZmgA_3dEd,@object
	.comm	_ZN08NumbaEnv5numba7cpython8builtins6ol_int12_3clocals_3e4implB3v23B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAw4hWqFpgsIBZmgA_3dEd,8,8
	.type	_ZN08NumbaEnv5numba7cpython7unicode19_kind_to_byte_widthB3v24B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAw4hWqFpgsIBZmgA_3dEx,@object
	.comm	_ZN08NumbaEnv5numba7cpython7unicode19_kind_to_byte_widthB3v24B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAw4hWqFpgsIBZmgA_3dEx,8,8
	.type	_ZN08NumbaEnv5numba7cpython7unicode6ol_ord12_3clocals_3e4implB3v25B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAw4hWqFpgsIBZmgA_3dE12unicode_type,@object
	.comm	_ZN08NumbaEnv5numba7cpython7unicode6ol_ord12_3clocals_3e4implB3v25B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAw4hWqFpgsIBZmgA_3dE12unicode_type,8,8
	.type	_ZN08NumbaEnv5numba7cpython7unicode14unicode_concat12_3clocals_3e11concat_implB3v36B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAw4hWqFpgsIBZmgA_3dE12unicode_type12unicode_type,@object
	.comm	_ZN08NumbaEnv5numba7cpython7unicode14unicode_concat12_3clocals_3e11concat_implB3v36B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAw4hWqFpgsIBZmgA_3dE12unicode_type12unicode_type,8,8
	.type	_ZN08NumbaEnv5numba7cpython7unicode10_pick_kindB3v37B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAw4hWqFpgsIBZmgA_3dEii,@object
	.comm	_ZN08NumbaEnv5numba7cpython7unicode10_pick_kindB3v37B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAw4hWqFpgsIBZmgA_3dEii,8,8
	.type	.const.pickledata.83149161b0efc692d67f17db695bf2e20afa63b5,@object
	.p2align	4, 0x0
.const.pickledata.83149161b0efc692d67f17db695bf2e20afa63b5:
	.ascii	"\200\004\225\242\000\000\000\000\000\000\000\214\bbuiltins\224\214\016AssertionError\224\223\224\214!PY_UNICODE_WCHAR_KIND unsupported\224\205\224\214\n_pick_kind\224\214F/work/main/.venv/lib/python3.11/site-packages/numba/cpython/unicode.py\224Ms\001\207\224\207\224."
	.size	.const.pickledata.83149161b0efc692d67f17db695bf2e20afa63b5, 173

	.type	.const.pickledata.83149161b0efc692d67f17db695bf2e20afa63b5.sha1,@object
	.p2align	4, 0x0
.const.pickledata.83149161b0efc692d67f17db695bf2e20afa63b5.sha1:
	.ascii	"\203\024\221a\260\357\306\222\326\177\027\333i[\362\342\n\372c\265"
	.size	.const.pickledata.83149161b0efc692d67f17db695bf2e20afa63b5.sha1, 20

	.type	.const.picklebuf.83149161b0efc692d67f17db695bf2e20afa63b5,@object
	.p2align	4, 0x0
.const.picklebuf.83149161b0efc692d67f17db695bf2e20afa63b5:
	.quad	.const.pickledata.83149161b0efc692d67f17db695bf2e20afa63b5
	.long	173
	.zero	4
	.quad	.const.pickledata.83149161b0efc692d67f17db695bf2e20afa63b5.sha1
	.quad	0
	.long	0
	.zero	4
	.size	.const.picklebuf.83149161b0efc692d67f17db695bf2e20afa63b5, 40

	.type	.const.pickledata.e0bdf1f73f6cfea6e5882b4c37b1d6f2e32780e2,@object
	.p2align	4, 0x0
.const.pickledata.e0bdf1f73f6cfea6e5882b4c37b1d6f2e32780e2:
	.ascii	"\200\004\225\260\000\000\000\000\000\000\000\214\bbuiltins\224\214\016AssertionError\224\223\224\214/Unexpected unicode representation in _pick_kind\224\205\224\214\n_pick_kind\224\214F/work/main/.venv/lib/python3.11/site-packages/numba/cpython/unicode.py\224M\177\001\207\224\207\224."
	.size	.const.pickledata.e0bdf1f73f6cfea6e5882b4c37b1d6f2e32780e2, 187

	.type	.const.pickledata.e0bdf1f73f6cfea6e5882b4c37b1d6f2e32780e2.sha1,@object
	.p2align	4, 0x0
.const.pickledata.e0bdf1f73f6cfea6e5882b4c37b1d6f2e32780e2.sha1:
	.ascii	"\340\275\361\367?l\376\246\345\210+L7\261\326\362\343'\200\342"
	.size	.const.pickledata.e0bdf1f73f6cfea6e5882b4c37b1d6f2e32780e2.sha1, 20

	.type	.const.picklebuf.e0bdf1f73f6cfea6e5882b4c37b1d6f2e32780e2,@object
	.p2align	4, 0x0
.const.picklebuf.e0bdf1f73f6cfea6e5882b4c37b1d6f2e32780e2:
	.quad	.const.pickledata.e0bdf1f73f6cfea6e5882b4c37b1d6f2e32780e2
	.long	187
	.zero	4
	.quad	.const.pickledata.e0bdf1f73f6cfea6e5882b4c37b1d6f2e32780e2.sha1
	.quad	0
	.long	0
	.zero	4
	.size	.const.picklebuf.e0bdf1f73f6cfea6e5882b4c37b1d6f2e32780e2, 40

	.type	_ZN08NumbaEnv5numba7cpython7unicode11_pick_asciiB3v38B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAw4hWqFpgsIBZmgA_3dEjj,@object
	.comm	_ZN08NumbaEnv5numba7cpython7unicode11_pick_asciiB3v38B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAw4hWqFpgsIBZmgA_3dEjj,8,8
	.type	_ZN08NumbaEnv5numba7cpython7unicode13_empty_stringB3v39B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAw4hWqFpgsIBZmgA_3dEixj,@object
	.comm	_ZN08NumbaEnv5numba7cpython7unicode13_empty_stringB3v39B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAw4hWqFpgsIBZmgA_3dEixj,8,8
	.type	.const.pickledata.ba289d81f05c7020f3477c15734804df65abe209.13,@object
	.p2align	4, 0x0
.const.pickledata.ba289d81f05c7020f3477c15734804df65abe209.13:
	.ascii	"\200\004\225K\000\000\000\000\000\000\000\214\bbuiltins\224\214\013MemoryError\224\223\224\214'Allocation failed (probably too large).\224\205\224N\207\224."
	.size	.const.pickledata.ba289d81f05c7020f3477c15734804df65abe209.13, 86

	.type	.const.pickledata.ba289d81f05c7020f3477c15734804df65abe209.sha1.14,@object
	.p2align	4, 0x0
.const.pickledata.ba289d81f05c7020f3477c15734804df65abe209.sha1.14:
	.ascii	"\272(\235\201\360\\p \363G|\025sH\004\337e\253\342\t"
	.size	.const.pickledata.ba289d81f05c7020f3477c15734804df65abe209.sha1.14, 20

	.type	.const.picklebuf.ba289d81f05c7020f3477c15734804df65abe209.12,@object
	.p2align	4, 0x0
.const.picklebuf.ba289d81f05c7020f3477c15734804df65abe209.12:
	.quad	.const.pickledata.ba289d81f05c7020f3477c15734804df65abe209.13
	.long	86
	.zero	4
	.quad	.const.pickledata.ba289d81f05c7020f3477c15734804df65abe209.sha1.14
	.quad	0
	.long	0
	.zero	4
	.size	.const.picklebuf.ba289d81f05c7020f3477c15734804df65abe209.12, 40

	.type	_ZN08NumbaEnv5numba7cpython7unicode19_kind_to_byte_widthB3v40B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAw4hWqFpgsIBZmgA_3dEi,@object
	.comm	_ZN08NumbaEnv5numba7cpython7unicode19_kind_to_byte_widthB3v40B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAw4hWqFpgsIBZmgA_3dEi,8,8
	.type	.const.pickledata.f1b7fb04c48ec275548795a7db56fc61abc2c702,@object
	.p2align	4, 0x0
.const.pickledata.f1b7fb04c48ec275548795a7db56fc61abc2c702:
	.ascii	"\200\004\225\261\000\000\000\000\000\000\000\214\bbuiltins\224\214\016AssertionError\224\223\224\214'Unexpected unicode encoding encountered\224\205\224\214\023_kind_to_byte_width\224\214F/work/main/.venv/lib/python3.11/site-packages/numba/cpython/unicode.py\224M\243\001\207\224\207\224."
	.size	.const.pickledata.f1b7fb04c48ec275548795a7db56fc61abc2c702, 188

	.type	.const.pickledata.f1b7fb04c48ec275548795a7db56fc61abc2c702.sha1,@object
	.p2align	4, 0x0
.const.pickledata.f1b7fb04c48ec275548795a7db56fc61abc2c702.sha1:
	.ascii	"\361\267\373\004\304\216\302uT\207\225\247\333V\374a\253\302\307\002"
	.size	.const.pickledata.f1b7fb04c48ec275548795a7db56fc61abc2c702.sha1, 20

	.type	.const.picklebuf.f1b7fb04c48ec275548795a7db56fc61abc2c702,@object
	.p2align	4, 0x0
.const.picklebuf.f1b7fb04c48ec275548795a7db56fc61abc2c702:
	.quad	.const.pickledata.f1b7fb04c48ec275548795a7db56fc61abc2c702
	.long	188
	.zero	4
	.quad	.const.pickledata.f1b7fb04c48ec275548795a7db56fc61abc2c702.sha1
	.quad	0
	.long	0
	.zero	4
	.size	.const.picklebuf.f1b7fb04c48ec275548795a7db56fc61abc2c702, 40

	.type	_ZN08NumbaEnv5numba7cpython7unicode15_set_code_pointB3v41B52c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAw4hWsFpNAA_3d_3dE12unicode_typexj,@object
	.comm	_ZN08NumbaEnv5numba7cpython7unicode15_set_code_pointB3v41B52c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAw4hWsFpNAA_3d_3dE12unicode_typexj,8,8
	.type	_ZN08NumbaEnv5numba7cpython7unicode11unicode_len12_3clocals_3e8len_implB3v26B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAw4hWqFpgsIBZmgA_3dE12unicode_type,@object
	.comm	_ZN08NumbaEnv5numba7cpython7unicode11unicode_len12_3clocals_3e8len_implB3v26B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAw4hWqFpgsIBZmgA_3dE12unicode_type,8,8
	.type	_ZN08NumbaEnv5numba7cpython7unicode15_get_code_pointB3v27B52c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAw4hWsFpNAA_3d_3dE12unicode_typex,@object
	.comm	_ZN08NumbaEnv5numba7cpython7unicode15_get_code_pointB3v27B52c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAw4hWsFpNAA_3d_3dE12unicode_typex,8,8
	.type	_ZN08NumbaEnv5numba7cpython7unicode15_set_code_pointB3v28B52c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAw4hWsFpNAA_3d_3dE12unicode_typexx,@object
	.comm	_ZN08NumbaEnv5numba7cpython7unicode15_set_code_pointB3v28B52c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAw4hWsFpNAA_3d_3dE12unicode_typexx,8,8
	.type	_ZN08NumbaEnv5numba7cpython8builtins14ol_str_generic12_3clocals_3e4implB3v42B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAw4hWqFpgsIBZmgA_3dE12unicode_type,@object
	.comm	_ZN08NumbaEnv5numba7cpython8builtins14ol_str_generic12_3clocals_3e4implB3v42B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAw4hWqFpgsIBZmgA_3dE12unicode_type,8,8
	.type	_ZN08NumbaEnv5numba7cpython8builtins12ol_getattr_212_3clocals_3e4implB3v45B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAw4hWqFpgsIBZmgA_3dE12unicode_type29Literal_5bstr_5d_28__str___29,@object
	.comm	_ZN08NumbaEnv5numba7cpython8builtins12ol_getattr_212_3clocals_3e4implB3v45B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAw4hWqFpgsIBZmgA_3dE12unicode_type29Literal_5bstr_5d_28__str___29,8,8
	.type	_ZN08NumbaEnv5numba7cpython7unicode11unicode_str12_3clocals_3e12_3clambda_3eB3v46B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAw4hWqFpgsIBZmgA_3dE12unicode_type,@object
	.comm	_ZN08NumbaEnv5numba7cpython7unicode11unicode_str12_3clocals_3e12_3clambda_3eB3v46B54c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAw4hWqFpgsIBZmgA_3dE12unicode_type,8,8
	.type	_ZN08NumbaEnv5numba7cpython7numbers14int_power_impl12_3clocals_3e9int_powerB2v2B42c8tJTC_2fWQA93W1AaAIYBPIqRBFCjDSZRVAJmaQIAExx,@object
	.comm	_ZN08NumbaEnv5numba7cpython7numbers14int_power_impl12_3clocals_3e9int_powerB2v2B42c8tJTC_2fWQA93W1AaAIYBPIqRBFCjDSZRVAJmaQIAExx,8,8
	.type	.const.pickledata.8928cf367dcdb5b06f67cce68474c0d77d61c7bd,@object
	.p2align	4, 0x0
.const.pickledata.8928cf367dcdb5b06f67cce68474c0d77d61c7bd:
	.ascii	"\200\004\225z\000\000\000\000\000\000\000\214\bbuiltins\224\214\rOverflowError\224\223\224)\214\tint_power\224\214F/work/main/.venv/lib/python3.11/site-packages/numba/cpython/numbers.py\224K\336\207\224\207\224."
	.size	.const.pickledata.8928cf367dcdb5b06f67cce68474c0d77d61c7bd, 133

	.type	.const.pickledata.8928cf367dcdb5b06f67cce68474c0d77d61c7bd.sha1,@object
	.p2align	4, 0x0
.const.pickledata.8928cf367dcdb5b06f67cce68474c0d77d61c7bd.sha1:
	.ascii	"\211(\3176}\315\265\260og\314\346\204t\300\327}a\307\275"
	.size	.const.pickledata.8928cf367dcdb5b06f67cce68474c0d77d61c7bd.sha1, 20

	.type	.const.picklebuf.8928cf367dcdb5b06f67cce68474c0d77d61c7bd,@object
	.p2align	4, 0x0
.const.picklebuf.8928cf367dcdb5b06f67cce68474c0d77d61c7bd:
	.quad	.const.pickledata.8928cf367dcdb5b06f67cce68474c0d77d61c7bd
	.long	133
	.zero	4
	.quad	.const.pickledata.8928cf367dcdb5b06f67cce68474c0d77d61c7bd.sha1
	.quad	0
	.long	0
	.zero	4
	.size	.const.picklebuf.8928cf367dcdb5b06f67cce68474c0d77d61c7bd, 40

	.type	_ZN08NumbaEnv9privboost7kernels5route5_walkB3v14B56c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAK4JJIqUWsIgmAA_3d_3dE5ArrayIhLi2E1C7mutable7alignedExxx5ArrayIiLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIbLi1E1C7mutable7alignedE,@object
	.comm	_ZN08NumbaEnv9privboost7kernels5route5_walkB3v14B56c8tJTIeFIjxB2IKSgI4CrvQCk0Z4yRYcWsBAK4JJIqUWsIgmAA_3d_3dE5ArrayIhLi2E1C7mutable7alignedExxx5ArrayIiLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIhLi1E1C7mutable7alignedE5ArrayIbLi1E1C7mutable7alignedE,8,8
	.section	".note.GNU-stack","",@progbits
