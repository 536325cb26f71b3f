import { execFile } from 'node:child_process';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientFiles, type OpenapiDocument } from '../scripts/client-types.ts';
import { type DocumentName, documentFiles, documentNames } from '../src/foundation/http/openapi/parts.ts';
import { type TemporaryFolder, temporaryFolder } from './support/database/temporary-server.ts';

const root = new URL('../', import.meta.url).pathname;
let folder: TemporaryFolder;

beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.remove());

const documentOf = async (name: DocumentName): Promise<OpenapiDocument> =>
  JSON.parse(await readFile(join(root, documentFiles[name]), 'utf8'));

const operationIds = ({ paths }: OpenapiDocument) =>
  Object.values(paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));

const methodsIn = (code: string) => [...code.matchAll(/^ {2}(\w+)\(input/gm)].map(([, name = '']) => name);

describe('a client that is generated', () => {
  test.each(documentNames)('from the OpenAPI document %s alone compiles', { timeout: 60_000 }, async (name) => {
    const document = await documentOf(name);
    const files = clientFiles(document);
    expect(methodsIn(files['api.gen.ts'])).toEqual(operationIds(document));
    const project = join(folder.path, name);
    await cp(join(root, 'client/src'), join(project, 'src'), { recursive: true });
    // The rest of the client needs the types of both documents.
    await writeFile(join(project, 'src/generated-types.ts'), files['types.gen.ts']);
    const api = files['api.gen.ts'].replace('./types.gen.ts', './generated-types.ts');
    await writeFile(join(project, 'src/generated.ts'), api);
    await writeFile(join(project, 'package.json'), '{"type":"module"}');
    const options = { ...JSON.parse(await readFile(join(root, 'client/tsconfig.json'), 'utf8')).compilerOptions };
    // Which imports a client needs depends on its operations.
    const compilerOptions = { ...options, noEmit: true, noUnusedLocals: false };
    await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['src/generated.ts'] }));
    const compiled = promisify(execFile)(join(root, 'node_modules/.bin/tsc'), ['-p', project]);
    expect(await compiled.catch(({ stdout }) => stdout)).toMatchObject({ stdout: '' });
  });

  test('from both of them has the methods of both', async () => {
    const code = await readFile(join(root, 'client/src/api.gen.ts'), 'utf8');
    const documents = await Promise.all(documentNames.map(documentOf));
    expect(methodsIn(code).sort()).toEqual(documents.flatMap(operationIds).sort());
  });
});
