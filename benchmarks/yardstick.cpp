// Yardstick: the simulator as one would write it plainly in C++ with <random>.
//
// Per iteration: draw the state from beta, draw the reward by the law of (arm, state), move
// beta <- beta P_arm.  No tables, no fixed points, no batching; but fixed-size stack arrays for
// beta, distributions built once per (arm, state), and -O3.
//
// Input (stdin): m S, then per arm S*S transition, then per (arm, state): law p1 p2
// (0 bernoulli p, 1 beta a b, 2 uniform low high, 3 constant), then beta1, then C/(1-lambda) per arm.
// Usage: yardstick MODE N TAU0 ZETA SEED   MODE = epochucb | ucb (N = epochs | iterations)
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <random>
#include <vector>

struct Law {
    int kind;
    double p1, p2;
    std::gamma_distribution<double> ga, gb;
};

struct Env {
    int m, S;
    std::vector<double> P;
    std::vector<Law> laws;
    std::vector<double> beta, next;
    std::mt19937_64 rng;
    std::uniform_real_distribution<double> unif{0.0, 1.0};

    double draw(Law &l) {
        switch (l.kind) {
        case 0: return unif(rng) < l.p1 ? 1.0 : 0.0;
        case 1: {
            double x = l.ga(rng), y = l.gb(rng), s = x + y;
            return s > 0 ? x / s : (unif(rng) < l.p1 / (l.p1 + l.p2) ? 1.0 : 0.0);
        }
        case 2: return l.p1 + (l.p2 - l.p1) * unif(rng);
        default: return l.p1;
        }
    }
    double step(int j) {
        double u = unif(rng);
        int s = 0;
        while (s < S - 1 && u >= beta[s]) u -= beta[s++];
        double r = draw(laws[j * S + s]);
        const double *p = &P[(size_t)j * S * S];
        for (int b = 0; b < S; ++b) next[b] = 0.0;
        for (int a = 0; a < S; ++a)
            for (int b = 0; b < S; ++b) next[b] += beta[a] * p[a * S + b];
        beta.swap(next);
        return r;
    }
};

int main(int argc, char **argv) {
    if (argc < 6) return 2;
    Env e;
    if (scanf("%d %d", &e.m, &e.S) != 2) return 2;
    int m = e.m, S = e.S;
    e.P.resize((size_t)m * S * S);
    for (double &x : e.P) if (scanf("%lf", &x) != 1) return 2;
    e.laws.resize((size_t)m * S);
    for (Law &l : e.laws) {
        double kind;
        if (scanf("%lf %lf %lf", &kind, &l.p1, &l.p2) != 3) return 2;
        l.kind = (int)kind;
        if (l.kind == 1) {
            l.ga = std::gamma_distribution<double>(l.p1, 1.0);
            l.gb = std::gamma_distribution<double>(l.p2, 1.0);
        }
    }
    e.beta.resize(S);
    e.next.resize(S);
    for (double &x : e.beta) if (scanf("%lf", &x) != 1) return 2;
    std::vector<double> CL(m);
    for (double &x : CL) if (scanf("%lf", &x) != 1) return 2;
    bool epoch = !strcmp(argv[1], "epochucb");
    long N = atol(argv[2]);
    double tau0 = atof(argv[3]), zeta = atof(argv[4]);
    e.rng.seed(atol(argv[5]));

    std::vector<double> mean(m, 0.0);
    std::vector<long> T(m, 0);
    double total = 0;
    long iters = 0;
    clock_t t0 = clock();
    for (long k = 1; k <= N; ++k) {
        int arm = 0;
        double best = -1e300;
        if (k <= m) {
            arm = (int)k - 1;
        } else {
            double lk = log((double)k);
            for (int j = 0; j < m; ++j) {
                double idx = epoch ? mean[j] + CL[j] * (1 / tau0 + log1p(zeta * T[j] / tau0) / zeta) / T[j] +
                                         sqrt(6 * lk / T[j])
                                   : mean[j] + sqrt(2 * lk / T[j]);
                if (idx > best) { best = idx; arm = j; }
            }
        }
        long tau = epoch ? (long)(tau0 + zeta * T[arm]) : 1;
        double r = 0;
        for (long s = 0; s < tau; ++s) r += e.step(arm);
        r /= tau;
        iters += tau;
        total += r;
        T[arm]++;
        mean[arm] += (r - mean[arm]) / T[arm];
    }
    double sec = double(clock() - t0) / CLOCKS_PER_SEC;
    printf("%.9f %ld %.9f\n", sec, iters, total);
}
