// The other side of the tests in peer_test.go: Guava itself. The keys are made here and
// there by the same rules, from a seed and a number.
//
//   make DIR N     puts N keys of every kind, by both strategies, into filters, and writes
//                  them and what put returned
//   check DIR N    reads filters that Go wrote, tests the N keys that are in them and N
//                  that are not, and writes what mightContain said of the latter
//   sizes          for each line "n p" of its input, prints what create would make of it
//   words          for each line, a key of the string funnel, prints the filter of
//                  create(funnel, 5, 0.01) that holds it, in hexadecimal
//   bench N        for each line of its input, put, present or absent, prints how many
//                  nanoseconds that takes for N integers

import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnel;
import com.google.common.hash.Funnels;
import java.io.*;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.*;
import java.util.function.*;

public class Peer {
    static final String[] KINDS = {"ints", "longs", "bytes", "strings", "chars", "units"};
    static final double RATE = 0.01;

    public static void main(String[] args) throws Exception {
        switch (args[0]) {
            case "make": each(args, Peer::make); break;
            case "check": each(args, Peer::check); break;
            case "sizes": sizes(); break;
            case "words": words(); break;
            case "bench": bench(Integer.parseInt(args[1])); break;
            default: throw new IllegalArgumentException(args[0]);
        }
    }

    interface Step { <T> void run(Path file, int strategy, int n, Funnel<? super T> funnel, BiFunction<Long, Integer, T> key) throws Exception; }

    static void each(String[] args, Step step) throws Exception {
        int n = Integer.parseInt(args[2]);
        for (int strategy = 0; strategy < 2; strategy++) {
            for (String kind : KINDS) {
                Path file = Paths.get(args[1], kind + "-" + strategy);
                switch (kind) {
                    case "ints": step.<Integer>run(file, strategy, n, Funnels.integerFunnel(), (s, i) -> (int) mix(s, i)); break;
                    case "longs": step.<Long>run(file, strategy, n, Funnels.longFunnel(), (s, i) -> mix(s, i)); break;
                    case "bytes": step.<byte[]>run(file, strategy, n, Funnels.byteArrayFunnel(), Peer::bytes); break;
                    case "strings": step.<String>run(file, strategy, n, Funnels.stringFunnel(StandardCharsets.UTF_8), Peer::text); break;
                    case "chars": step.<String>run(file, strategy, n, Funnels.unencodedCharsFunnel(), Peer::text); break;
                    case "units": step.<String>run(file, strategy, n, Funnels.unencodedCharsFunnel(), Peer::units); break;
                }
            }
        }
    }

    // The keys.

    static long mix(long seed, int i) { return mix(seed + i * 0x9e3779b97f4a7c15L); }

    static long mix(long z) {
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }

    static byte[] bytes(long seed, int i) {
        long z = mix(seed, i);
        byte[] b = new byte[(int) (z & 63)];
        for (int j = 0; j < b.length; j++) {
            if (j % 8 == 0) z = mix(z);
            b[j] = (byte) (z >>> 8 * (j % 8));
        }
        return b;
    }

    // text returns 0 to 31 code points, none of them a surrogate.
    static String text(long seed, int i) {
        long z = mix(seed, i);
        int length = (int) (z & 31);
        boolean ascii = (z & 32) != 0;
        StringBuilder s = new StringBuilder();
        for (int j = 0; j < length; j++) {
            z = mix(z);
            int v = (int) (z >>> 40);
            switch (ascii ? 0 : (int) (z & 3)) {
                case 0: s.append((char) (0x20 + v % 95)); break;
                case 1: s.append((char) (0x80 + v % (0x800 - 0x80))); break;
                case 2: v = 0x800 + v % (0x10000 - 0x800 - 0x800); s.append((char) (v < 0xd800 ? v : v + 0x800)); break;
                case 3: s.appendCodePoint(0x10000 + v % 0x100000); break;
            }
        }
        return s.toString();
    }

    // units returns 0 to 31 chars of any value, many of them surrogates.
    static String units(long seed, int i) {
        long z = mix(seed, i);
        char[] c = new char[(int) (z & 31)];
        for (int j = 0; j < c.length; j++) {
            z = mix(z);
            c[j] = (char) ((z & 1 << 20) != 0 ? 0xd800 + (z & 0x7ff) : z);
        }
        return new String(c);
    }

    // The commands.

    // empty makes a filter of a strategy: the older one is not public, and is reached
    // through a stream.
    static <T> BloomFilter<T> empty(Funnel<? super T> funnel, long n, double p, int strategy) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        BloomFilter.<T>create(funnel, n, p).writeTo(out);
        byte[] b = out.toByteArray();
        b[0] = (byte) strategy;
        return BloomFilter.readFrom(new ByteArrayInputStream(b), funnel);
    }

    static <T> void make(Path file, int strategy, int n, Funnel<? super T> funnel, BiFunction<Long, Integer, T> key) throws IOException {
        BloomFilter<T> f = empty(funnel, n, RATE, strategy);
        byte[] put = new byte[(n + 7) / 8];
        for (int i = 0; i < n; i++)
            if (f.put(key.apply(1L, i))) put[i / 8] |= 1 << i % 8;
        write(file, f);
        Files.write(Paths.get(file + ".put"), put);
        System.out.println(file.getFileName() + " " + f.approximateElementCount() + " " + Double.doubleToLongBits(f.expectedFpp()));
    }

    static <T> void check(Path file, int strategy, int n, Funnel<? super T> funnel, BiFunction<Long, Integer, T> key) throws IOException {
        BloomFilter<T> f;
        try (InputStream in = new BufferedInputStream(Files.newInputStream(Paths.get(file + ".go")))) {
            f = BloomFilter.readFrom(in, funnel);
            if (in.read() >= 0) throw new IOException(file + ": bytes are left");
        }
        int present = 0;
        for (int i = 0; i < n; i++)
            if (f.mightContain(key.apply(2L, i))) present++;
        byte[] absent = new byte[(n + 7) / 8];
        for (int i = 0; i < n; i++)
            if (f.mightContain(key.apply(3L, i))) absent[i / 8] |= 1 << i % 8;
        Files.write(Paths.get(file + ".absent"), absent);
        write(Paths.get(file + ".java"), f);
        System.out.println(file.getFileName() + " " + present + " " + f.approximateElementCount() + " " + Double.doubleToLongBits(f.expectedFpp()));
    }

    static void write(Path file, BloomFilter<?> f) throws IOException {
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file))) {
            f.writeTo(out);
        }
    }

    static void sizes() throws Exception {
        Method bits = BloomFilter.class.getDeclaredMethod("optimalNumOfBits", long.class, double.class);
        bits.setAccessible(true);
        Method hashes; // of n and m up to version 33.3, of p since
        boolean older = true;
        try {
            hashes = BloomFilter.class.getDeclaredMethod("optimalNumOfHashFunctions", long.class, long.class);
        } catch (NoSuchMethodException e) {
            hashes = BloomFilter.class.getDeclaredMethod("optimalNumOfHashFunctions", double.class);
            older = false;
        }
        hashes.setAccessible(true);
        System.out.println(older ? "older" : "newer");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line; (line = in.readLine()) != null;) {
            long n = Long.parseLong(line.split(" ")[0]);
            double p = Double.parseDouble(line.split(" ")[1]);
            long m = (Long) bits.invoke(null, n, p);
            System.out.println(m + " " + (older ? hashes.invoke(null, n, m) : hashes.invoke(null, p)));
        }
    }

    static void words() throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line; (line = in.readLine()) != null;) {
            BloomFilter<CharSequence> f = BloomFilter.create(Funnels.stringFunnel(StandardCharsets.UTF_8), 5, RATE);
            f.put(line);
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            f.writeTo(out);
            StringBuilder hex = new StringBuilder();
            for (byte b : out.toByteArray()) hex.append(String.format("%02x", b));
            System.out.println(hex);
        }
    }

    // The key number i of the benchmark, as in bench_test.go.
    static int[] scattered(int n, int from) {
        int[] keys = new int[n];
        for (int i = 0; i < n; i++) keys[i] = (from + i) * 0x9e3779b1;
        return keys;
    }

    static void bench(int n) throws IOException {
        int[] present = scattered(n, 0), absent = scattered(n, n);
        BloomFilter<Integer> f = null;
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line; (line = in.readLine()) != null;) {
            if (line.equals("put")) f = BloomFilter.create(Funnels.integerFunnel(), n, RATE);
            long start = System.nanoTime();
            int hits = line.equals("put") ? put(f, present) : contains(f, line.equals("present") ? present : absent);
            System.out.println(System.nanoTime() - start + " " + hits);
        }
    }

    static int put(BloomFilter<Integer> f, int[] keys) {
        int changed = 0;
        for (int key : keys) if (f.put(key)) changed++;
        return changed;
    }

    static int contains(BloomFilter<Integer> f, int[] keys) {
        int hits = 0;
        for (int key : keys) if (f.mightContain(key)) hits++;
        return hits;
    }
}
