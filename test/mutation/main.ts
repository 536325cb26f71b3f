// Checks whether the fast tests notice a wrong program: npm run test:mutation -- --folder src/features/webhooks --count
// 30 --seed 7
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { seededRandom } from '../chaos/random.ts';
import { type Mutant, mutantsOf, mutated } from './mutants.ts';

const { values } = parseArgs({
  options: {
    folder: { type: 'string', multiple: true, default: [] },
    tests: { type: 'string', multiple: true },
    count: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help || values.folder.length === 0) {
  console.log(`Flips one comparison, negation or default at a time and runs the fast tests. A mutant that no test notices survives.

  --folder  whose files are changed (can be given again)    --count  how many mutants of each folder (20)
  --tests   which tests run (those of the folder)            --seed   of the choice (1)

Files are changed in place and restored. Do not edit the folder meanwhile.`);
  process.exit(values.help ? 0 : 2);
}

interface Outcome {
  file: string;
  line: number;
  change: string;
  survived: boolean;
}

const outcomes: Outcome[] = values.folder.flatMap((folder) => mutateFolder(folder, values.tests ?? [folder]));
const caught = outcomes.filter(({ survived }) => !survived).length;
console.log(`${caught} of ${outcomes.length} caught (${Math.round((100 * caught) / outcomes.length)} %).`);

function mutateFolder(folder: string, tests: readonly string[]): Outcome[] {
  const files = globSync(`${folder}/**/*.ts`).filter((file) => !/\.test\.ts$|\.gen\.ts$|examples\.ts$/.test(file));
  const all = files.flatMap((file) => mutantsOf(readFileSync(file, 'utf8')).map((mutant) => ({ file, mutant })));
  const random = seededRandom(Number(values.seed));
  const chosen = Array.from({ length: Math.min(Number(values.count), all.length) }, () => {
    const [one] = all.splice(random.below(all.length), 1);
    return one!;
  });
  return chosen.map(({ file, mutant }) => tryMutant(file, mutant, tests));
}

function tryMutant(file: string, mutant: Mutant, tests: readonly string[]): Outcome {
  const source = readFileSync(file, 'utf8');
  const restore = () => writeFileSync(file, source);
  process.once('exit', restore);
  writeFileSync(file, mutated(source, mutant));
  const { status } = spawnSync('npx', ['vitest', 'run', '--project', 'fast', '--bail', '1', ...tests], {
    timeout: 600_000,
  });
  restore();
  process.off('exit', restore);
  const change = `${source.slice(mutant.start, mutant.end)} → ${mutant.replacement}`;
  const outcome = { file, line: mutant.line, change, survived: status === 0 };
  console.log(`${outcome.survived ? 'SURVIVED' : 'caught  '} ${file}:${mutant.line} ${change}`);
  return outcome;
}
