// Yardstick: the simulator as one would write it plainly in C++, with either of two generators.
//
// Per iteration: draw the state, draw the reward by the law of (arm, state), and move on: the
// distribution beta <- beta P_arm under marginal sampling, the state itself under trajectory
// sampling. No tables, no batching, no expectations.
//
//   random    std::mt19937_64 and the distributions of <random>
//   xoshiro   xoshiro256++ (Blackman and Vigna 2021) seeded by splitmix64, normals by the polar
//             method, gammas by Marsaglia and Tsang (2000)
//
// Both draw a beta variable as a ratio of gammas.
//
// Usage: yardstick GENERATOR TASK SAMPLING N SEEDS
//   TASK      ucb (N iterations), epoch-ucb (N epochs of 40 + T iterations) or laws (N draws each)
//   SAMPLING  marginal or trajectory
// Input: m S; per arm S*S transition probabilities; per (arm, state) the law's kind and two
// parameters (0 bernoulli p, 1 beta a b, 2 uniform low high, 3 constant); the initial
// distribution; C/(1 - lambda) per arm.
// Output: for each seed the CPU seconds, the iterations and the sum of the rewards; the sum of the
// epochs' mean rewards for epoch-ucb. For laws: the means of r, r^2 and r^4 of each (arm, state).
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <random>
#include <string>
#include <vector>

const double TAU0 = 40, ZETA = 1;
const int MOST_STATES = 64;

enum Kind { BERNOULLI, BETA, UNIFORM, CONSTANT };

struct Instance {
    int m, S;
    std::vector<double> transition, laws, initial, mixing;
};

struct Standard {
    std::mt19937_64 engine;
    std::uniform_real_distribution<double> unit{0.0, 1.0};

    explicit Standard(uint64_t seed) : engine(seed) {}
    double uniform() { return unit(engine); }

    struct Gamma {
        std::gamma_distribution<double> law;
        explicit Gamma(double shape) : law(shape, 1.0) {}
        double draw(Standard &rng) { return law(rng.engine); }
    };
};

struct Xoshiro {
    uint64_t s[4];
    double spare = 0;
    bool has_spare = false;

    explicit Xoshiro(uint64_t seed) {
        for (uint64_t &word : s) {
            uint64_t z = seed += 0x9e3779b97f4a7c15;
            z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
            z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
            word = z ^ (z >> 31);
        }
    }
    static uint64_t rotate(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }
    uint64_t next() {
        uint64_t result = rotate(s[0] + s[3], 23) + s[0], shifted = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= shifted;
        s[3] = rotate(s[3], 45);
        return result;
    }
    double uniform() { return (next() >> 11) * 0x1p-53; }
    double normal() {
        if (has_spare) {
            has_spare = false;
            return spare;
        }
        double x, y, q;
        do {
            x = 2 * uniform() - 1;
            y = 2 * uniform() - 1;
            q = x * x + y * y;
        } while (q >= 1 || q == 0);
        double scale = std::sqrt(-2 * std::log(q) / q);
        spare = y * scale;
        has_spare = true;
        return x * scale;
    }

    struct Gamma {
        double shape, d, c;
        // A shape below one is raised by one, and the draw multiplied by U^(1/shape).
        explicit Gamma(double shape)
            : shape(shape), d((shape < 1 ? shape + 1 : shape) - 1.0 / 3), c(1 / std::sqrt(9 * d)) {}
        double draw(Xoshiro &rng) {
            double x, v, u;
            for (;;) {
                x = rng.normal();
                v = 1 + c * x;
                if (v <= 0) continue;
                v = v * v * v;
                u = rng.uniform();
                if (u < 1 - 0.0331 * x * x * x * x) break;
                if (std::log(u) < 0.5 * x * x + d * (1 - v + std::log(v))) break;
            }
            return shape < 1 ? d * v * std::pow(rng.uniform(), 1 / shape) : d * v;
        }
    };
};

template <class Random> struct Law {
    int kind;
    double p1, p2;
    typename Random::Gamma first, second;

    explicit Law(const double *code)
        : kind((int)code[0]), p1(code[1]), p2(code[2]), first(kind == BETA ? p1 : 1),
          second(kind == BETA ? p2 : 1) {}
    double draw(Random &rng) {
        switch (kind) {
        case BERNOULLI: return rng.uniform() < p1 ? 1.0 : 0.0;
        case BETA: {
            double x = first.draw(rng), y = second.draw(rng), sum = x + y;
            if (sum > 0) return x / sum;
            return rng.uniform() < p1 / (p1 + p2) ? 1.0 : 0.0;  // both gammas underflowed
        }
        case UNIFORM: return p1 + (p2 - p1) * rng.uniform();
        default: return p1;
        }
    }
};

template <class Random, bool trajectory> struct Environment {
    int S, state = 0;
    std::vector<double> P;
    alignas(64) double beta[MOST_STATES], next[MOST_STATES];
    std::vector<Law<Random>> laws;
    Random rng;

    Environment(const Instance &instance, uint64_t seed)
        : S(instance.S), P(instance.transition), rng(seed) {
        for (int s = 0; s < S; ++s) beta[s] = instance.initial[s];
        for (int i = 0; i < instance.m * S; ++i) laws.emplace_back(&instance.laws[3 * i]);
        if (trajectory) state = pick(beta);
    }
    int pick(const double *distribution) {
        double u = rng.uniform();
        int s = 0;
        while (s < S - 1 && u >= distribution[s]) u -= distribution[s++];
        return s;
    }
    double step(int arm) {
        const double *p = &P[(size_t)arm * S * S];
        if (trajectory) {
            double reward = laws[arm * S + state].draw(rng);
            state = pick(p + state * S);
            return reward;
        }
        double reward = laws[arm * S + pick(beta)].draw(rng);
        for (int b = 0; b < S; ++b) next[b] = beta[0] * p[b];
        for (int a = 1; a < S; ++a)
            for (int b = 0; b < S; ++b) next[b] += beta[a] * p[a * S + b];
        for (int b = 0; b < S; ++b) beta[b] = next[b];
        return reward;
    }
};

template <class Random, bool trajectory, bool epochs>
void run(const Instance &instance, long N, uint64_t seed) {
    int m = instance.m;
    Environment<Random, trajectory> environment(instance, seed);
    std::vector<double> mean(m, 0.0);
    std::vector<long> T(m, 0);
    double total = 0;
    long iterations = 0;
    clock_t start = clock();
    for (long k = 1; k <= N; ++k) {
        int arm = 0;
        if (k <= m) {
            arm = (int)k - 1;
        } else {
            double best = -1e300, log_k = std::log((double)k);
            for (int j = 0; j < m; ++j) {
                double index = mean[j] + std::sqrt((epochs ? 6 : 2) * log_k / T[j]);
                if (epochs)
                    index += instance.mixing[j] * (1 / TAU0 + std::log1p(ZETA * T[j] / TAU0) / ZETA) / T[j];
                if (index > best) {
                    best = index;
                    arm = j;
                }
            }
        }
        long tau = epochs ? (long)(TAU0 + ZETA * T[arm]) : 1;
        double reward = 0;
        for (long i = 0; i < tau; ++i) reward += environment.step(arm);
        reward /= tau;
        iterations += tau;
        total += reward;
        T[arm]++;
        mean[arm] += (reward - mean[arm]) / T[arm];
    }
    printf("%.9f %ld %.17g\n", double(clock() - start) / CLOCKS_PER_SEC, iterations, total);
}

template <class Random> void moments(const Instance &instance, long N, uint64_t seed) {
    Random rng(seed);
    for (int i = 0; i < instance.m * instance.S; ++i) {
        Law<Random> law(&instance.laws[3 * i]);
        double sum = 0, squares = 0, fourth = 0;
        for (long n = 0; n < N; ++n) {
            double r = law.draw(rng), square = r * r;
            sum += r;
            squares += square;
            fourth += square * square;
        }
        printf("%.17g %.17g %.17g\n", sum / N, squares / N, fourth / N);
    }
}

template <class Random>
void perform(const Instance &instance, std::string task, bool trajectory, long N, uint64_t seed) {
    if (task == "laws") moments<Random>(instance, N, seed);
    else if (task == "ucb" && trajectory) run<Random, true, false>(instance, N, seed);
    else if (task == "ucb") run<Random, false, false>(instance, N, seed);
    else if (trajectory) run<Random, true, true>(instance, N, seed);
    else run<Random, false, true>(instance, N, seed);
}

void read(std::vector<double> &values, size_t count) {
    values.resize(count);
    for (double &x : values)
        if (scanf("%lf", &x) != 1) exit(2);
}

int main(int argc, char **argv) {
    Instance instance;
    if (argc != 6 || scanf("%d %d", &instance.m, &instance.S) != 2) return 2;
    size_t m = instance.m, S = instance.S;
    if (S > MOST_STATES) return 2;
    read(instance.transition, m * S * S);
    read(instance.laws, m * S * 3);
    read(instance.initial, S);
    read(instance.mixing, m);
    bool trajectory = std::string(argv[3]) == "trajectory";
    long N = atol(argv[4]), seeds = atol(argv[5]);
    for (long seed = 0; seed < seeds; ++seed) {
        if (std::string(argv[1]) == "xoshiro") perform<Xoshiro>(instance, argv[2], trajectory, N, seed);
        else perform<Standard>(instance, argv[2], trajectory, N, seed);
    }
}
