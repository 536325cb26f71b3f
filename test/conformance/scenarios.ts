/** A scenario of the suite against the MCP server. */
export interface Scenario {
  name: string;
  /** The protocol version. Default: chosen by the suite. */
  version?: string;
  /** It calls tools or reads resources. The suite sends no key, so a proxy adds it. */
  withKey?: true;
  /** Checks that cannot pass, with the reason. All others pass. */
  exceptions?: Readonly<Record<string, string>>;
  /** Why the suite checks nothing here. */
  isEmpty?: string;
}

const newest = '2026-07-28';
const noSessions = 'Crier keeps no sessions, so any process can respond.';
const testTool = "It needs a tool that exists only in the suite's own test server.";
const fixedLists = "Crier's lists do not change while it runs.";

export const scenarios: readonly Scenario[] = [
  { name: 'server-initialize' },
  { name: 'server-session-lifecycle', isEmpty: noSessions },
  { name: 'ping' },
  { name: 'tools-list' },
  { name: 'tools-list', version: newest },
  { name: 'resources-list' },
  { name: 'resources-list', version: newest },
  { name: 'prompts-list' },
  { name: 'prompts-list', version: newest },
  { name: 'dns-rebinding-protection' },
  { name: 'server-sse-multiple-streams', exceptions: { 'server-sse-multiple-streams-session': noSessions } },
  { name: 'server-sse-multiple-streams', version: newest },
  { name: 'http-header-validation', withKey: true },
  { name: 'caching', withKey: true },
  { name: 'sep-2164-resource-not-found', withKey: true },
  {
    name: 'server-stateless',
    withKey: true,
    exceptions: {
      'sep-2575-server-rejects-undeclared-capability': testTool,
      'sep-2575-missing-capability-http-400': testTool,
      'sep-2575-http-server-no-independent-requests-on-stream': testTool,
      'sep-2575-server-no-log-without-loglevel': testTool,
      'sep-2575-server-sends-prompts-list-changed-on-subscription': fixedLists,
      'sep-2575-server-sends-tools-list-changed-on-subscription': fixedLists,
    },
  },
];

/** The scenarios against the authorization server, with the checks that cannot pass. */
export const authorizationScenarios: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'authorization-server-metadata-endpoint': {
    'authorization-server-metadata-cimd':
      'This feature is optional. Applications register themselves, so Crier does not have to fetch documents from URLs that strangers supply.',
  },
  'authorization-code-grant': {},
};
