import { type Exchange, nameOf } from './exchange.ts';
import { isKnownDifference } from './known-differences.ts';
import type { Spec, Verdict } from './spec.ts';

/** The verdicts of a network's specs on its recorded calls. */
export interface Report {
  readonly platform: string;
  readonly calls: number;
  readonly checks: readonly { readonly spec: Spec; readonly verdicts: readonly Verdict[] }[];
}

export async function reportOn(
  platform: string,
  exchanges: readonly Exchange[],
  specs: readonly Spec[],
): Promise<Report> {
  const checks = [];
  for (const spec of specs) checks.push({ spec, verdicts: await spec.check(exchanges) });
  return { platform, calls: exchanges.length, checks };
}

/** Each problem once, however many calls have it. */
export function problemsIn({ platform, checks }: Report): string[] {
  const all = checks.flatMap(({ spec, verdicts }) =>
    verdicts.flatMap(({ exchange, problems }) =>
      problems
        .filter((problem) => !isKnownDifference(platform, problem))
        .map((problem) => `${nameOf(exchange)}: ${problem} [${spec.source}]`),
    ),
  );
  return [...new Set(all)];
}

export function printReports(reports: readonly Report[]): void {
  for (const { platform, calls, checks } of reports) {
    const head = `${platform}: ${calls} calls recorded`;
    if (checks.length === 0) console.log(`${head}, checked against nothing: no description of the vendor is at hand.`);
    for (const { spec, verdicts } of checks) {
      const requests = verdicts.filter(({ covers }) => covers.request).length;
      const answers = verdicts.filter(({ covers }) => covers.answer).length;
      console.log(
        `${head}, ${requests} calls and ${answers} answers checked against ${spec.source}. ${spec.limits ?? ''}`,
      );
      const rest = new Set(verdicts.filter(({ covers }) => !covers.request).map(({ exchange }) => nameOf(exchange)));
      if (rest.size > 0) console.log(`  Not described there: ${[...rest].join(', ')}.`);
    }
  }
}
