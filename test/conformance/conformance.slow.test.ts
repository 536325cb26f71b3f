import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { approve } from '../support/browser/approve.ts';
import { forward } from '../support/processes/balancer.ts';
import { serve } from '../support/servers/local.ts';
import { signedIn } from '../support/service/media-service.ts';
import type { TestUser } from '../support/service/service.ts';
import { type McpStage, mcpStage } from '../support/stages/mcp.ts';
import { authorizationScenarios, scenarios } from './scenarios.ts';
import { type Check, installSuite, runSuite } from './suite.ts';

/** The conformance suite of the Model Context Protocol, against two instances of the service behind a balancer. */

const isInstalled = await installSuite();
if (!isInstalled) console.warn('The npm registry does not answer, so the conformance suite of MCP is not run.');

describe.skipIf(!isInstalled)('the conformance suite of MCP', () => {
  let stage: McpStage;
  let ada: TestUser;
  let keyed: Awaited<ReturnType<typeof serve>>;
  beforeAll(async () => {
    stage = await mcpStage();
    ada = await stage.aUser();
    await ada.aConnection();
    keyed = await serve(forward(Number(new URL(stage.url).port), { 'x-service-key': ada.apiKey }));
  });
  afterAll(async () => {
    await keyed.close();
    await stage.close();
  });

  const cases = scenarios.map((scenario) => ({ title: titleOf(scenario), ...scenario }));
  // The suite has its own timeout, which a busy machine may miss.
  test.each(cases)('server: $title', { retry: 2 }, async ({ name, version, withKey, exceptions, isEmpty }) => {
    const url = `${withKey ? keyed.url : stage.url}/mcp`;
    const pinned = version ? ['--spec-version', version] : [];
    const checks = (await runSuite(['server', '--url', url, '--scenario', name, ...pinned])).get(name);
    if (isEmpty === undefined) expectOnly(exceptions, checks);
    else expect(judgedIn(checks)).toEqual([]);
  });

  test('authorization: an application that registers itself is approved by a person and gets a token', async () => {
    const port = await aFreePort();
    const registered = await fetch(`${stage.url}/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        redirect_uris: [`http://127.0.0.1:${port}/callback`],
        token_endpoint_auth_method: 'none',
      }),
    });
    const { client_id } = (await registered.json()) as { client_id: string };
    const headers = await signedIn(stage, ada);
    let isAsked = false;
    const found = await runSuite(
      ['authorization', '--url', stage.url, '--client-id', client_id, '--port', `${port}`],
      (printed) => {
        const page = /^http\S+\/authorize\?\S+$/m.exec(printed)?.[0];
        if (page === undefined || isAsked) return;
        isAsked = true;
        void approve(new URL(page), { headers }).then((back) => fetch(back));
      },
    );
    expect([...found.keys()].sort()).toEqual(Object.keys(authorizationScenarios).sort());
    for (const [name, exceptions] of Object.entries(authorizationScenarios)) expectOnly(exceptions, found.get(name));
  });
});

const titleOf = ({ name, version }: { name: string; version?: string }) => (version ? `${name} (${version})` : name);

const judgedIn = (checks: readonly Check[] = []) => checks.filter(({ status }) => status !== 'INFO');

/** All checks must pass except these, which must fail. */
function expectOnly(exceptions: Readonly<Record<string, string>> = {}, checks: readonly Check[] | undefined) {
  const judged = judgedIn(checks);
  const others = judged.filter(({ status }) => status !== 'SUCCESS');
  expect(others.map(({ id }) => id).sort(), JSON.stringify(others, null, 2)).toEqual(Object.keys(exceptions).sort());
  expect(judged.length).toBeGreaterThan(0);
}

async function aFreePort(): Promise<number> {
  await using server = await serve(() => {});
  return Number(new URL(server.url).port);
}
