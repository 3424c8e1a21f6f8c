#!/usr/bin/env python3
"""Makes cases for `ptx record` of wgmma.mma_async: all types, matrices in shared memory in every layout and in registers, sparse ones, numbers of all kinds.

Shared memory is filled with random numbers, and descriptors say where a product finds its matrices there: what a GPU gives shows what it read.
Usage: warpgroup.py FOLDER; then ptx record --out OUT FOLDER on a GPU of sm_90a, and the files of OUT make an archive as record.sh makes its own.
"""
import os
import random
import sys

import numpy as np

OUT = sys.argv[1]
os.makedirs(OUT, exist_ok=True)
R=np.random.default_rng(3); random.seed(5)
MEM=65536
def half(wild):
    if wild:
        return R.integers(0,65536,MEM//2,dtype=np.int64).astype(np.uint16).tobytes()
    return R.standard_normal(MEM//2).astype(np.float16).tobytes()
def bf(wild):
    if wild: return half(True)
    return (R.standard_normal(MEM//2).astype(np.float32).view(np.uint32)>>16).astype(np.uint16).tobytes()
def tf(wild):
    if wild: return R.integers(0,2**32,MEM//4,dtype=np.int64).astype(np.uint32).tobytes()
    return R.standard_normal(MEM//4).astype(np.float32).tobytes()
def by(wild):
    if wild: return R.integers(0,256,MEM,dtype=np.int64).astype(np.uint8).tobytes()
    m=R.integers(0x20,0x48,MEM,dtype=np.int64)|(R.integers(0,2,MEM,dtype=np.int64)<<7)
    return m.astype(np.uint8).tobytes()
# layouts: (swizzle, lbo, sbo) in bytes
NONE=[(0,128,256),(0,2048,128)]
SW=[(3,16,256),(2,16,512),(1,16,1024)]
MN=[(0,1024,128),(0,128,1024)]
def mnsw(n): return [(3,1024,512) ,(2,2048,1024),(1,4096,2048)]
SWBITS={0:0,3:3,2:2,1:1}
def desc(lay,off):
    sw,lbo,sbo=lay
    return (sw<<62)|((sbo>>4)<<32)|((lbo>>4)<<16)|(off>>4)
files={}
def kernel(f,name,kind,shape,types,n,layA,layB,ra,tA=0,tB=0,scale=1,na=1,nb=1,chain=1,offA=0,offB=32768,sat='',sp=None,trans=False,ints=False,dregs=None):
    body=[];e=body.append
    nd=dregs
    e(f".visible .entry {name}(.param .u64 from, .param .u64 regs, .param .u64 out)\n{{")
    e("\t.reg .b64 %d<9>; .reg .b32 %r<9>, %a<9>, %c<129>; .reg .pred %p<3>;")
    e("\tld.param.u64 %d1, [from];\n\tld.param.u64 %d2, [regs];\n\tld.param.u64 %d3, [out];\n\tmov.u32 %r1, %tid.x;\n\tshl.b32 %r2, %r1, 4;\n\tmov.u32 %r3, mem;")
    e("\tadd.u32 %r4, %r3, %r2;\n\tcvt.u64.u32 %d4, %r2;\n\tadd.u64 %d5, %d1, %d4;\n\tmov.u32 %r5, 0;")
    e("COPY:\n\tld.global.v4.b32 {%a0,%a1,%a2,%a3}, [%d5];\n\tst.shared.v4.b32 [%r4], {%a0,%a1,%a2,%a3};\n\tadd.u64 %d5, %d5, 2048;\n\tadd.u32 %r4, %r4, 2048;\n\tadd.u32 %r5, %r5, 1;\n\tsetp.lt.u32 %p1, %r5, 32;\n\t@%p1 bra COPY;")
    # D starts as words of regs: thread t word i at regs + (i*128+t)*4
    e("\tmul.wide.u32 %d4, %r1, 4;\n\tadd.u64 %d6, %d2, %d4;")
    for i in range(nd): e(f"\tld.global.b32 %c{i}, [%d6+{i*512}];")
    for i in range(4): e(f"\tld.global.b32 %a{i}, [%d6+{65536+i*512}];")
    e(f"\tld.global.b32 %a4, [%d6+{65536+4*512}];")
    e("\tfence.proxy.async;\n\tbar.sync 0;")
    e("\tshr.u32 %r6, %r3, 4;\n\tcvt.u64.u32 %d7, %r6;")
    e(f"\tadd.u64 %d0, %d7, 0x{desc(layA,offA):x};" if not ra else "\tmov.u64 %d0, 0;")
    e(f"\tadd.u64 %d8, %d7, 0x{desc(layB,offB):x};")
    e(f"\tsetp.ne.u32 %p2, %r3, {'0xffffffff' if scale else '%r3'};")
    e("\twgmma.fence.sync.aligned;")
    D="{"+", ".join(f"%c{i}" for i in range(nd))+"}"
    A="{%a0, %a1, %a2, %a3}" if ra else "%d0"
    ops=f"{D}, {A}, %d8"
    if sp is not None: ops+=f", %a4, {sp}"
    ops+=", %p2"
    if not ints:
        ops+=f", {na}, {nb}"
        if trans: ops+=(f", {tB}" if ra else f", {tA}, {tB}")
    for _ in range(chain):
        e(f"\twgmma.mma_async{'.sp' if sp is not None else ''}.sync.aligned.{shape}.{types}{sat} {ops};")
    e("\twgmma.commit_group.sync.aligned;\n\twgmma.wait_group.sync.aligned 0;")
    e("\tadd.u64 %d6, %d3, %d4;")
    for i in range(nd): e(f"\tst.global.b32 [%d6+{i*512}], %c{i};")
    e("\tret;\n}")
    fl=files.setdefault(f,dict(kind=kind,kernels=[]))
    fl['kernels'].append((name,nd*128,"\n".join(x for x in body if x)))
def suite(f,kind,k,types,dr,trans,ints=False,sps=False,sat=''):
    # dr: registers of D per 8 columns
    c=[0]
    def go(n,lA,lB,ra=0,**kw):
        c[0]+=1
        kk=k*2 if kw.get('sp') is not None else k
        kernel(f,f"k{c[0]}",kind,f"m64n{n}k{kk}",types,n,lA,lB,ra,trans=trans,ints=ints,dregs=n//8*dr,sat=kw.pop('sat',sat),**kw)
    go(8,NONE[0],NONE[0]); go(16,NONE[1],NONE[0]); go(64 if not ints else 64,NONE[0],NONE[1]); go(256,NONE[0],NONE[0])
    for s in SW: go(16,s,s)
    go(24,SW[2],SW[0],offA=32,offB=32768+32); go(32,SW[1],SW[2],offA=32,offB=32768+64)
    go(16,NONE[0],SW[2],ra=1); go(96,NONE[0],NONE[0],ra=1)
    go(16,NONE[0],NONE[0],scale=0); go(8,SW[2],SW[2],chain=2)
    if not ints: go(16,NONE[0],NONE[0],na=-1); go(16,NONE[0],NONE[0],ra=1,nb=-1); go(8,NONE[0],NONE[0],na=-1,nb=-1)
    if trans:
        for l in MN: go(16,l,NONE[0],tA=1); go(24,NONE[0],l,tB=1)
        for l in mnsw(0): go(96,l,SW[0],tA=1); go(96,SW[2],l,tB=1); go(8,l,l,tA=1,tB=1)
        go(16,NONE[0],mnsw(0)[2],ra=1,tB=1)
    if sps:
        for sel in sps: go(16,NONE[0],NONE[0],sp=sel); go(16,SW[2],SW[2],sp=sel); go(8,NONE[0],SW[1],ra=1,sp=sel)
suite('f32_f16','f16',16,'f32.f16.f16',4,True)
suite('f16_f16','f16',16,'f16.f16.f16',2,True)
suite('f32_bf16','bf16',16,'f32.bf16.bf16',4,True)
suite('f32_tf32','tf32',8,'f32.tf32.tf32',4,False)
for a,b in (('e4m3','e4m3'),('e5m2','e4m3'),('e4m3','e5m2'),('e5m2','e5m2')):
    suite(f'f32_{a}_{b}','b8',32,f'f32.{a}.{b}',4,False)
suite('f16_e4m3_e5m2','b8',32,'f16.e4m3.e5m2',2,False)
for a,b in (('s8','s8'),('u8','s8'),('u8','u8')):
    suite(f's32_{a}_{b}','i8',32,f's32.{a}.{b}',4,False,True)
suite('s32_sat','i8',32,'s32.s8.s8',4,False,True,sat='.satfinite')
suite('b1','i8',256,'s32.b1.b1.and.popc',4,False,True)
wild=dict(f16=half,bf16=bf,tf32=tf,b8=by,i8=lambda w: R.integers(0,256,MEM,dtype=np.int64).astype(np.uint8).tobytes())
# sparse: metadata words must be legal pairs (0<1 of four)
suite2=dict(sp_f16=('f16',16,'f32.f16.f16',4,True,False),sp_bf16=('bf16',16,'f32.bf16.bf16',4,True,False),sp_tf32=('tf32',8,'f32.tf32.tf32',4,False,False),sp_e4m3=('b8',32,'f32.e4m3.e4m3',4,False,False),sp_s8=('i8',32,'s32.s8.u8',4,False,True))
for f,(kind,k,types,dr,tr,ints) in suite2.items():
    c=0
    for sel in ((0,1) if f!='sp_e4m3' and f!='sp_s8' else (0,)):
        for n,lA,lB,ra in ((16,NONE[0],NONE[0],0),(8,SW[2],SW[2],0),(16,NONE[0],SW[1],1),(32,SW[0],NONE[0],0)):
            c+=1; kernel(f,f"k{c}",kind,f"m64n{n}k{2*k}",types,n,lA,lB,ra,trans=tr,ints=ints,dregs=n//8*dr,sp=sel)
def meta():
    pairs=[0x4,0x8,0xc,0x9,0xd,0xe]
    w=np.zeros(128,np.uint32)
    for i in range(128):
        v=0
        for j in range(8): v|=random.choice(pairs)<<(4*j)
        w[i]=v
    return w
def metatf():
    w=np.zeros(128,np.uint32)
    for i in range(128):
        v=0
        for j in range(8): v|=random.choice([0x4,0xe])<<(4*j)
        w[i]=v
    return w
total=0
for f,fl in files.items():
    kind=fl['kind']; g=wild[kind]
    for wildness in ((False,True) if not f.startswith('sp') and kind!='i8' else (False,)):
        name='wgmma-'+f+('_wild' if wildness else '')
        ks=fl['kernels'] if not wildness else fl['kernels'][:3]+fl['kernels'][9:16]
        mem=g(wildness)
        regs=bytearray()
        # D words
        nw=128*128
        if kind=='i8': d=R.integers(-2**31,2**31,nw,dtype=np.int64).astype(np.int32).tobytes()
        elif f.startswith('f16'): d=R.standard_normal(nw*2).astype(np.float16).tobytes() if not wildness else R.integers(0,2**32,nw,dtype=np.int64).astype(np.uint32).tobytes()
        else: d=(R.standard_normal(nw).astype(np.float32) if not wildness else R.integers(0,2**32,nw,dtype=np.int64).astype(np.uint32)).tobytes()
        a=g(wildness)[:4*128*4]
        m=(metatf() if 'tf32' in f else meta()).tobytes()
        regs=d+a+m
        open(f'{OUT}/{name}.mem.bin','wb').write(mem); open(f'{OUT}/{name}.regs.bin','wb').write(regs)
        lines=["// Written by tools/record/warpgroup.py.", "// matrix: hopper"]
        for i,(kn,nd,_) in enumerate(ks):
            lines.append(f"// launch: {kn} grid=1 block=128")
            if i==0:
                lines.append(f"// arg: from: buffer u32[{MEM//4}] = @{name}.mem.bin"); lines.append(f"// arg: regs: buffer u32[{len(regs)//4}] = @{name}.regs.bin")
            else: lines+= ["// arg: from","// arg: regs"]
            lines.append(f"// arg: out{kn[1:]}: buffer u32[{nd}] = zero"); total+=nd*4
        lines+=[".version 8.4",".target sm_90a",".address_size 64",f".shared .align 1024 .b8 mem[{MEM}];" if MEM<=48*1024 else f".extern .shared .align 1024 .b8 mem[];"]
        if MEM>48*1024: lines=[l+f" shared={MEM}" if l.startswith('// launch') else l for l in lines]
        open(f'{OUT}/{name}.ptx','w').write("\n".join(lines)+"\n"+"\n".join(k for _,_,k in ks)+"\n")
print(len(files),sum(len(f['kernels']) for f in files.values()),total)
