#!/bin/bash
# Models the arm64 kernels' speed where there is no arm64 machine: llvm-mca's
# cycle counts of the very instructions that the kernels execute, beside those of
# the Go compiler's scalar code and of clang -O3's NEON for the same loops.
#
#   scripts/mca/run.sh >scripts/mca/RESULTS.md
#   ONLY='^testAdd' CPUS=neoverse-n1 scripts/mca/run.sh	# some rows, one CPU
#	N1=128 N2=384 scripts/mca/run.sh	# shorter traces
#
# Each kernel runs in the test binary of its package, whose TestForModel calls it
# (internal/kerneltest.Model), under qemu, one instruction per translation block,
# over N1 and then N2 words or keys; the addresses that it passes through,
# disassembled, are straight-line code for llvm-mca. The difference of the two cycle
# counts is the steady state, with every loop, call, tail and table look-up in it.
#
# A model: every load hits the first-level cache, every branch is predicted, and
# no load waits for a store.
#
# Needs go, qemu-user, clang and llvm (Debian: qemu-user clang-19 llvm-19
# binutils-aarch64-linux-gnu). LLVM=-22 picks another version by its suffix.

set -euo pipefail
cd "$(dirname "$0")/../.."

llvm=${LLVM--19}
cpus=${CPUS-neoverse-n1 neoverse-v1 neoverse-v2 apple-m1}
only=${ONLY-} # a regular expression of rows
dir=$(mktemp -d)
[ -n "${KEEP-}" ] && dir=$KEEP || trap 'rm -rf "$dir"' EXIT

clang"$llvm" --target=aarch64-linux-gnu -O3 -ffreestanding -c -o "$dir/kernels.o" scripts/mca/kernels.c
clang"$llvm" --target=aarch64-linux-gnu -O1 -ffreestanding -c -o "$dir/start.o" scripts/mca/start.c
aarch64-linux-gnu-ld -o "$dir/c.bin" "$dir/start.o" "$dir/kernels.o"
aarch64-linux-gnu-nm -S "$dir/c.bin" >"$dir/c.syms"

# The packages whose kernels the rows name.
declare -A package=([root]= [popcount]=/internal/popcount [decode]=/internal/decode [block]=/internal/block [bitrev]=/internal/bitrev [counters]=/internal/counters [many]=/internal/many [sbbf]=/internal/sbbf)

# build PACKAGE builds its test binary, once. In the table of symbols those of the
# package itself begin with a dot.
build() {
	[ -e "$dir/$1.bin" ] && return
	GOARCH=arm64 CGO_ENABLED=0 go test -c -o "$dir/$1.bin" ".${package[$1]}"
	aarch64-linux-gnu-nm -S "$dir/$1.bin" | sed "s|github.com/bitsieve/bitsieve${package[$1]}\.|.|" >"$dir/$1.syms"
}

single=-singlestep
qemu-aarch64 --help | grep -q one-insn-per-tb && single=-one-insn-per-tb

# trace PACKAGE|c SYMBOLS COMMAND… prints the instructions that COMMAND executes in
# the functions that the extended regular expression SYMBOLS matches. It leaves in
# $dir/missed how many conditional branches a counter of two bits for each mispredicts.
trace() {
	local bin=$1 symbols=$2 ranges= addr size
	shift 2
	: >"$dir/text"
	while read -r addr size; do
		ranges+=${ranges:+,}0x$addr+0x$size
		llvm-objdump"$llvm" -d --no-show-raw-insn --start-address=0x"$addr" \
			--stop-address=$((16#$addr + 16#$size)) "$dir/$bin.bin" >>"$dir/text"
	done < <(re="^($symbols)\$" awk 'NF == 4 && $4 ~ ENVIRON["re"] { print $1, $2 }' "$dir/$bin.syms")
	[ -n "$ranges" ] || { echo "run.sh: no symbol matches $symbols" >&2; exit 1; }
	qemu-aarch64 $single -d exec,nochain -dfilter "$ranges" -D "$dir/trace" "$@" >/dev/null
	awk -v missed="$dir/missed" '
	FNR == NR {
		if (!match($0, /^ *[0-9a-f]+:/)) next
		addr = substr($0, 1, RLENGTH - 1); gsub(/ /, "", addr)
		insn = substr($0, RLENGTH + 1); sub(/ *\/\/.*/, "", insn)
		sub(/0x[0-9a-f]+ <.*/, "#0", insn) # the model follows no branch
		text[addr] = insn
		branch[addr] = insn ~ /^[ \t]*(b\.|cbn?z|tbn?z)/
		follows[last] = addr; last = addr
		next
	}
	{
		split($4, f, "/"); sub(/^0+/, "", f[2]); addr = f[2]
		print text[addr]
		if (branch[from]) {
			taken = addr != follows[from]
			misses += (counter[from] >= 2) != taken
			counter[from] += taken ? counter[from] < 3 : -(counter[from] > 0)
		}
		from = addr
	}
	END { print misses + 0 >missed }
	' "$dir/text" "$dir/trace"
}

# cycles FILE CPU
cycles() {
	llvm-mca"$llvm" -mtriple=aarch64-linux-gnu -mcpu="$2" -iterations=1 -call-latency=1 "$1" 2>"$dir/mca.err" |
		awk '/^Total Cycles:/ { print $3; found = 1 } END { exit !found }' ||
		{ echo "run.sh: llvm-mca has no answer for $1:" >&2; head -3 "$dir/mca.err" >&2; exit 1; }
}

# per A B SCALE prints by how much B exceeds A for SCALE of the words between.
per() {
	awk -v a="$1" -v b="$2" -v n=$((n2 - n1)) -v scale="$3" 'BEGIN { printf "%.2f", (b - a) * scale / n }'
}

declare -A cell
# model COLUMN PACKAGE|c SYMBOLS SCALE COMMAND… models COMMAND with N1 and N2 appended,
# and sets cell[COLUMN,CPU] to the cycles for SCALE words or keys, and
# cell[COLUMN,insns] and cell[COLUMN,missed] to instructions and mispredicted branches.
n1=${N1-512} n2=${N2-1536}
model() {
	local column=$1 bin=$2 symbols=$3 scale=$4 cpu n c1 c2
	local -A missed
	shift 4
	for n in $n1 $n2; do
		if [ "$bin" = c ]; then
			trace c "$symbols" "$dir/c.bin" "$@" "$n" >"$dir/$n.s"
		else
			build "$bin"
			BITSIEVE_MODEL="$* $n" trace "$bin" "$symbols" "$dir/$bin.bin" -test.run '^TestForModel$' >"$dir/$n.s"
		fi
		missed[$n]=$(<"$dir/missed")
	done
	cell[$column,missed]=$(per "${missed[$n1]}" "${missed[$n2]}" "$scale")
	for cpu in $cpus; do
		c1=$(cycles "$dir/$n1.s" "$cpu")
		c2=$(cycles "$dir/$n2.s" "$cpu")
		cell[$column,$cpu]=$(per "$c1" "$c2" "$scale")
	done
	cell[$column,insns]=$(per "$(wc -l <"$dir/$n1.s")" "$(wc -l <"$dir/$n2.s")" "$scale")
}

lost=()
row() {
	local cpu column
	printf '| %s |' "$1"
	for column in neon clang go; do
		printf ' %s |' "${cell[$column,insns]:-}"
	done
	for cpu in $cpus; do
		printf ' **%s** | %s | %s |' "${cell[neon,$cpu]}" "${cell[clang,$cpu]:-}" "${cell[go,$cpu]:-}"
		for column in clang go; do
			[ -n "${cell[$column,$cpu]:-}" ] && awk -v a="${cell[neon,$cpu]}" -v b="${cell[$column,$cpu]}" 'BEGIN { exit !(a > 1.01 * b) }' &&
				lost+=("$1 on $cpu: ${cell[neon,$cpu]}, $column ${cell[$column,$cpu]}")
		done
	done
	printf '\n'
	cell=()
}

header() {
	local cpu
	printf '\n### %s\n\n| | instructions | clang | Go |' "$1"
	for cpu in $cpus; do
		printf ' %s | clang | Go |' "$cpu"
	done
	printf '\n|---|---|---|---|'
	for cpu in $cpus; do
		printf -- '---|---|---|'
	done
	printf '\n'
}

cat <<EOF
# A model of the arm64 kernels

Written by \`scripts/mca/run.sh\`, which says how. **A model, not a measurement**:
$(llvm-mca"$llvm" --version | awk '/version/ { print "LLVM " $NF; exit }')'s scheduling models of the CPUs, over the instructions
that each function executes in the steady state, with loads that hit the first-level
cache and branches that are all predicted. The filter kernels prefetch, which cannot
pay here; decoding in clang and Go has a branch for every bit, which cannot cost
here, and is counted apart. LLVM has no model of Apple's later cores: apple-m1 is scheduled as Cyclone,
their ancestor of 2013.

In bold the kernels of this package, called through the verbs that choose them; then
the same work in C (\`kernels.c\`) by clang -O3 for armv8-a, then in this package's
portable Go. The first three columns count instructions, the others cycles. There is no C for the counting and the split-block filter.
EOF

header 'And, count and their like: 64 bytes of an operand'
for f in count and or xor andNot andCount orCount xorCount andNotCount; do
	[[ $f =~ $only ]] || continue
	in=root verb=${f}Words
	case $f in
	count) in=popcount verb=Count ;;
	*Count) in=popcount verb=${f%Count} verb=${verb^} ;;
	esac
	model neon  $in "\.($verb|${f}NEON\.abi0)" 8 neon:$f 0 0
	model clang c   "$f" 8 $f 0
	model go    $in "\.${f}Generic" 8 go:$f 0 0
	row $f
done

header 'AND of a query with rows, counted: 64 bytes of rows'
for k in 4 16 64; do
	[[ andRows$k =~ $only ]] || continue
	model neon  many "\.(andCountRows|andCountRowsPiece|andCountRowsNEON\.abi0)" 8 neon:andRows 0 $k
	model clang c    andRows 8 andRows $k
	model go    many "\.andCountRowsGeneric" 8 go:andRows 0 $k
	row "rows of $k words"
done

header 'Set bits to indices: a word'
misses=
for f in decode32 decode64; do
	for ands in 0 2 5; do
		[[ $f =~ $only ]] || continue
		type="(go\.shape\.)?uint" kernel=decodeNEON
		[ $f = decode32 ] && type="(go\.shape\.)?uint32" kernel=decode32NEON
		model neon  decode "\.(Indices\[$type\]|inPieces\[$type\]|decodeGeneric\[$type\]|$kernel\.abi0)" 1 neon:$f $ands 0
		model clang c      "$f" 1 $f $ands
		model go    decode "\.decodeGeneric\[$type\]" 1 go:$f $ands 0
		misses+="| $f, 1 bit in $((2 << ands)) | **${cell[neon,missed]}** | ${cell[clang,missed]:-} | ${cell[go,missed]:-} |"$'\n'
		row "$f, 1 bit in $((2 << ands))"
	done
done
if [ -n "$misses" ]; then
	printf '\nWhat these cycles leave out: conditional branches that a counter of two bits for each\n'
	printf 'mispredicts, a word. By each a core loses some ten cycles.\n'
	printf '\n| | mispredicted | clang | Go |\n|---|---|---|---|\n%s' "$misses"
fi

header 'Bits reversed in each byte: 64 bytes'
if [[ reverse =~ $only ]]; then
	model neon  bitrev "\.(Reverse|inPieces|reverseNEON\.abi0)" 8 neon:reverse 0 0
	model clang c      reverse 8 reverse 0
	model go    bitrev "\.(reverseGeneric|reverse8)" 8 go:reverse 0 0
	row reverse
fi

header 'Blocked filter, batches of uint64: a key'
for op in test add testAdd; do
	for k in 4 8 12; do
		[[ $op$k =~ $only ]] || continue
		verb=$op
		[ $op = testAdd ] && verb=testAndAdd
		model neon  block "\.(\(\*Filter\)\.(${verb^}Uint64s|${verb}(Batch|Part))|${verb}Kernel|nextBatch|lanePattern|${op}K(8|1to7|9to16)NEON\.abi0)" 1 neon:$op 0 $k
		model clang c     "$op$k" 1 $op$k 0
		model go    block "\.(${verb}Generic|nextChunk|Index|Add|Test|addLanes|testLanes|turn)" 1 go:$op 0 $k
		row "$op, k = $k"
	done
done

header 'Blocked filter, one uint64 at a time: a key, without the call'
for op in test add; do
	for k in 4 8 12; do
		[[ ${op}One$k =~ $only ]] || continue
		model neon  block "\.${op}Uint64\.abi0" 1 neon:${op}One 0 $k
		model clang c     "${op}One" 1 ${op}One $k
		model go    block "\.(${op}(Uint64|Hash)Generic|Index|${op^}|${op}Lanes|turn)|.*/hash\.Hasher\.Uint64" 1 go:${op}One 0 $k
		row "$op, k = $k"
	done
done

header 'Counting filter, batches of hashes: a key, and what came of it'
for op in test add remove; do
	for k in 4 8 12; do
		[[ counting$op$k =~ $only ]] || continue
		model neon counters "\.(\(\*Filter\)\.batch|kernel|lanePatterns?|${op}NEON\.abi0)" 1 neon:$op 0 $k
		model go   counters "\.(generic|apply|Add|Remove|Test|Count|countLanes|change|changeOne|at|atFull)|.*/block\.(Index|Turn|Word|Word2)" 1 go:$op 0 $k
		row "$op, k = $k"
	done
done

header 'Split-block filter, batches of hashes: a key'
for op in test add; do
	[[ splitBlock$op =~ $only ]] || continue
	model neon sbbf "\.(${op^}Hashes|batch|piece|${op}Kernel|nextBatch|distance|${op}NEON\.abi0)" 1 neon:$op 0 8
	model go   sbbf "\.(${op}BatchGeneric|${op}Generic|blockOf|Index|pair)" 1 go:$op 0 8
	row "$op"
done

printf '\n### Rows lost by more than 1 %%\n\n'
printf -- '- %s\n' "${lost[@]:-none}"
