import type { Exchange } from './exchange.ts';

interface KnownDifference {
  readonly platform: string;
  readonly problem: RegExp;
  /** Why the description is wrong or incomplete here, and from where we know it. */
  readonly why: string;
}

const differences: readonly KnownDifference[] = [];

export const isKnownDifference = (platform: string, _exchange: Exchange, problem: string): boolean =>
  differences.some((one) => one.platform === platform && one.problem.test(problem));
