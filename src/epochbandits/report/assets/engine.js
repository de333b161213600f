"use strict";
// The model in the browser: instances, their constants, policies and runs. It draws the same laws as
// the library, not the same numbers; tests compare it with the library in Chromium.
const Bandit = (() => {
  const range = (n) => Array.from({ length: n }, (_, i) => i);
  const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);

  // --- random numbers: sfc32, seeded by splitmix32 ------------------------------------------------
  const stream = (seed, key = 0) => {
    let s = (Math.imul(seed, 0x9e3779b1) ^ Math.imul(key + 1, 0x85ebca6b)) | 0;
    const mixed = () => {
      s = (s + 0x9e3779b9) | 0;
      let z = Math.imul(s ^ (s >>> 16), 0x21f0aaad);
      z = Math.imul(z ^ (z >>> 15), 0x735a2d97);
      return z ^ (z >>> 15);
    };
    let [a, b, c, d] = [mixed(), mixed(), mixed(), 1];
    const word = () => {
      const t = (((a + b) | 0) + d) | 0;
      d = (d + 1) | 0;
      a = b ^ (b >>> 9);
      b = (c + (c << 3)) | 0;
      c = (((c << 21) | (c >>> 11)) + t) | 0;
      return t >>> 0;
    };
    for (let i = 0; i < 12; i++) word();
    return () => ((word() >>> 5) * 67108864 + (word() >>> 6)) / 9007199254740992;
  };
  const normal = (random) => {
    for (;;) {
      const [u, v] = [2 * random() - 1, 2 * random() - 1];
      const s = u * u + v * v;
      if (s > 0 && s < 1) return u * Math.sqrt((-2 * Math.log(s)) / s);
    }
  };
  // Marsaglia and Tsang; a shape below one through that above it.
  const gamma = (shape, random) => {
    if (shape < 1) return gamma(shape + 1, random) * (1 - random()) ** (1 / shape);
    const d = shape - 1 / 3;
    const c = 1 / Math.sqrt(9 * d);
    for (;;) {
      const x = normal(random);
      const v = (1 + c * x) ** 3;
      if (v > 0 && Math.log(1 - random()) < x * x / 2 + d - d * v + d * Math.log(v)) return d * v;
    }
  };
  const LAWS = {
    constant: { mean: (law) => law.value, draw: (law) => law.value },
    bernoulli: { mean: (law) => law.p, draw: (law, random) => (random() < law.p ? 1 : 0) },
    uniform: {
      mean: (law) => (law.low + law.high) / 2,
      draw: (law, random) => law.low + (law.high - law.low) * random(),
    },
    beta: {
      mean: (law) => law.a / (law.a + law.b),
      draw: (law, random) => {
        const x = gamma(law.a, random);
        return x / (x + gamma(law.b, random));
      },
    },
  };
  const pick = (distribution, random) => {
    const u = random();
    let [state, sum] = [0, distribution[0]];
    while (u >= sum && state < distribution.length - 1) sum += distribution[++state];
    return state;
  };

  // --- chains -------------------------------------------------------------------------------------
  // State reduction of Grassmann, Taksar and Heyman: no subtraction, so nothing cancels.
  const stationary = (P) => {
    const A = P.map((row) => [...row]);
    const S = A.length;
    for (let n = S - 1; n > 0; n--) {
      const out = A[n].slice(0, n).reduce((sum, x) => sum + x, 0);
      for (let i = 0; i < n; i++) A[i][n] /= out;
      for (let i = 0; i < n; i++) for (let j = 0; j < n; j++) A[i][j] += A[i][n] * A[n][j];
    }
    const pi = [1];
    for (let n = 1; n < S; n++) pi.push(dot(pi, range(n).map((i) => A[i][n])));
    const total = pi.reduce((sum, x) => sum + x, 0);
    return pi.map((x) => x / total);
  };
  // Singular values of a square matrix by rotations of its columns (one-sided Jacobi).
  const singular = (matrix) => {
    const columns = matrix.map((_, j) => matrix.map((row) => row[j]));
    for (let sweep = 0, moved = true; moved && sweep < 60; sweep++) {
      moved = false;
      for (let p = 0; p < columns.length; p++) {
        for (let q = p + 1; q < columns.length; q++) {
          const [x, y] = [columns[p], columns[q]];
          const [a, b, c] = [dot(x, x), dot(y, y), dot(x, y)];
          if (Math.abs(c) <= 1e-16 * Math.sqrt(a * b)) continue;
          moved = true;
          const z = (b - a) / (2 * c);
          const t = (z < 0 ? -1 : 1) / (Math.abs(z) + Math.hypot(1, z));
          const cos = 1 / Math.hypot(1, t);
          columns[p] = x.map((v, i) => cos * (v - t * y[i]));
          columns[q] = y.map((v, i) => cos * (v + t * x[i]));
        }
      }
    }
    return columns.map((x) => Math.sqrt(dot(x, x))).sort((a, b) => b - a);
  };
  const mixing = (P, pi) => {
    const roots = pi.map(Math.sqrt);
    const scaled = P.map((row, i) => row.map((x, j) => (x * roots[i]) / roots[j]));
    const least = Math.min(...pi);
    return { lam: singular(scaled)[1], C: Math.sqrt(1 + (1 - least) ** 2 / least) / 2 };
  };

  // --- instances ----------------------------------------------------------------------------------
  const instance = ({ transition, rewards, initial }) => {
    const pi = transition.map(stationary);
    const means = rewards.map((row) => row.map((law) => LAWS[law.law].mean(law)));
    const mu = pi.map((row, j) => dot(row, means[j]));
    const best = Math.max(...mu);
    const gap = mu.map((x) => best - x);
    const minGap = Math.min(...gap.filter((x) => x > 0));
    const arms = transition.length;
    const chains = transition.map((P, j) => mixing(P, pi[j]));
    return { transition, rewards, initial, pi, means, mu, gap, minGap, arms, best, mixing: chains };
  };
  const example1 = (eps) =>
    instance({
      transition: [[[0, 1], [eps, 1 - eps]], [[1 - eps, eps], [1, 0]]],
      rewards: [[0, 1], [0.5, 0.5]].map((row) => row.map((value) => ({ law: "constant", value }))),
      initial: [1, 0],
    });
  // Section 5.1 in four states: the first arm holds the state in the first one, the others avoid it.
  const four = (delta, stick, { splits, sticks, rewards }) =>
    instance({
      transition: splits.map((split, j) => {
        const row = j === 0 ? [1 - delta, ...split.map((x) => x * delta)]
          : [delta, ...split.map((x) => x * (1 - delta))];
        const a = j === 0 ? stick : sticks[j];
        return row.map((_, i) => row.map((x, k) => (1 - a) * x + (i === k ? a : 0)));
      }),
      rewards,
      initial: [0.25, 0.25, 0.25, 0.25],
    });

  // --- the environment ----------------------------------------------------------------------------
  class Environment {
    constructor(problem, discount, sampling, random) {
      Object.assign(this, { problem, discount, random, path: sampling === "trajectory" });
      this.distribution = [...problem.initial];
      this.state = pick(this.distribution, random);
    }
    // An epoch: reward and its exact mean given the start, both discounted, and the plain mean.
    play(arm, tau) {
      const { transition, rewards, means } = this.problem;
      const [P, mean] = [transition[arm], means[arm]];
      const S = P.length;
      let known = this.path ? P.map((_, s) => (s === this.state ? 1 : 0)) : this.distribution;
      let next = new Array(S);
      let [reward, expected, plain, weights] = [0, 0, 0, 0];
      for (let t = 0; t < tau; t++) {
        if (!this.path) this.state = pick(known, this.random);
        const law = rewards[arm][this.state];
        let now = 0;
        for (let k = 0; k < S; k++) {
          now += known[k] * mean[k];
          let sum = 0;
          for (let i = 0; i < S; i++) sum += known[i] * P[i][k];
          next[k] = sum;
        }
        reward = this.discount * reward + LAWS[law.law].draw(law, this.random);
        expected = this.discount * expected + now;
        weights = this.discount * weights + 1;
        plain += now;
        [known, next] = [next, known];
        if (this.path) this.state = pick(P[this.state], this.random);
      }
      if (!this.path) this.distribution = known;
      return { reward: reward / weights, expected: expected / weights, plain: plain / tau };
    }
  }

  // --- policies -----------------------------------------------------------------------------------
  // The arm with the largest score; ties as in policies/base.py: up to rounding, and uniformly.
  const bestArm = (score, mean, random) => {
    let [arm, ties] = [0, 1];
    for (let j = 1; j < score.length; j++) {
      const rounding = Math.abs(mean[j] - mean[arm]) <= 1e-11 * mean[arm];
      if (score[j] === score[arm] || (rounding && Math.abs(score[j] - score[arm]) <= 2e-12)) {
        if (random() * ++ties < 1) arm = j;
      } else if (score[j] > score[arm]) [arm, ties] = [j, 1];
    }
    return arm;
  };
  // L_j(T) as printed, for the paper's epochs; calling it counts a play of the arm.
  const penalties = (chains, { tau0, zeta, gamma: discount }) => {
    const equal = chains.some(({ lam }) => Math.abs(discount - lam) <= 1e-9);
    const sums = chains.map(() => 0);
    const plays = chains.map(() => 0);
    return (arm) => {
      const { lam, C } = chains[arm];
      const T = ++plays[arm];
      if (discount === 1) {
        return (C * (1 / tau0 + Math.log1p((zeta * T) / tau0) / zeta)) / (1 - lam);
      }
      const tau = tau0 + zeta * (T - 1);
      const phi = Math.max(discount, lam);
      const psi = Math.min(discount, lam) / phi;
      return (sums[arm] += C * phi ** (tau - 1) * (equal ? tau : 1 / (1 - psi)));
    };
  };
  class Policy {
    constructor(arms) {
      this.plays = new Array(arms).fill(0);
      this.mean = new Array(arms).fill(0);
    }
    learn(arm, reward) {
      this.mean[arm] += (reward - this.mean[arm]) / ++this.plays[arm];
    }
    index(k) { return this.mean; }
  }
  class UCB extends Policy {
    index(k) {
      const width = 2 * Math.log(k);
      return this.mean.map((x, j) => (this.plays[j] ? x + Math.sqrt(width / this.plays[j]) : Infinity));
    }
    choose(k, random) { return k <= this.mean.length ? k - 1 : bestArm(this.index(k), this.mean, random); }
  }
  class EpochUCB extends UCB {
    constructor(problem, setting) {
      super(problem.arms);
      this.next = penalties(problem.mixing, setting);
      this.L = new Array(problem.arms).fill(Infinity);
    }
    learn(arm, reward) {
      super.learn(arm, reward);
      this.L[arm] = this.next(arm);
    }
    index(k) {
      const width = 6 * Math.log(k);
      return this.mean.map((x, j) => {
        const T = this.plays[j];
        return T ? x + this.L[j] / T + Math.sqrt(width / T) : Infinity;
      });
    }
  }
  class Greedy extends Policy {
    constructor(problem, c) {
      super(problem.arms);
      this.scale = (c * problem.arms) / problem.minGap ** 2;
    }
    choose(k, random) {
      if (random() * k < this.scale) return Math.floor(random() * this.mean.length);
      return bestArm(this.mean, this.mean, random);
    }
  }
  const linear = ({ tau0, zeta }) => (plays) => tau0 + zeta * plays;
  const POLICIES = {
    "epoch-ucb": { label: "EpochUCB", make: (p, s) => new EpochUCB(p, s), length: linear },
    "epoch-greedy": { label: "EpochGreedy", make: (p, s) => new Greedy(p, s.c), length: linear },
    ucb: { label: "UCB", make: (p) => new UCB(p.arms), length: () => () => 1 },
    "eps-greedy": { label: "ε-greedy", make: (p, s) => new Greedy(p, s.cIteration), length: () => () => 1 },
    "ucb-blocks": { label: "UCB in blocks", make: (p) => new UCB(p.arms), length: ({ block }) => () => block },
  };

  // --- runs ---------------------------------------------------------------------------------------
  class Run {
    constructor(problem, name, setting, sampling, seed) {
      const key = Object.keys(POLICIES).indexOf(name);
      Object.assign(this, { problem, name, k: 0, t: 0, arm: -1, tau: 0, feedback: NaN });
      this.policy = POLICIES[name].make(problem, setting);
      this.length = POLICIES[name].length(setting);
      this.environment = new Environment(problem, setting.gamma, sampling, stream(seed, 2 * key));
      this.random = stream(seed, 2 * key + 1);
      // Summed over decisions as in the paper, and over iterations.
      this.regret = this.expected = this.iterations = 0;
    }
    step() {
      this.arm = this.policy.choose(++this.k, this.random);
      this.play(this.arm, this.length(this.policy.plays[this.arm]));
    }
    play(arm, tau) {
      const { reward, expected, plain } = this.environment.play(arm, tau);
      this.policy.learn(arm, reward);
      this.t += tau;
      this.tau = tau;
      this.feedback = reward;
      this.regret += this.problem.best - reward;
      this.expected += this.problem.best - expected;
      this.iterations += tau * (this.problem.best - plain);
    }
  }
  return { stream, instance, example1, four, stationary, mixing, penalties, LAWS, POLICIES, Run };
})();
