import type { ConnectablePlatform } from '@crier/client';
import { queryOptions } from '@tanstack/react-query';
import { crier } from '../../lib/api.ts';

export const connectablesQuery = queryOptions({
  queryKey: ['connectables'],
  queryFn: async ({ signal }) => (await crier.listConnectablePlatforms({}, { signal })).platforms,
  staleTime: Number.POSITIVE_INFINITY,
});

export const choiceQuery = (choiceId: string) =>
  queryOptions({
    queryKey: ['account-choice', choiceId],
    queryFn: ({ signal }) => crier.getAccountChoice({ choiceId }, { signal }),
  });

/** What is known after a try to connect, if the browser stays here: accounts, or a choice among several. */
export type Outcome = { connected: readonly string[] } | { choiceId: string };

/** The page that the consent leads back to. */
export type ReturnPage = '/channels' | '/welcome';

/** Goes to the consent page in this tab; or, where a form is enough, returns the result. */
export async function connect(
  platform: string,
  fields: Record<string, string>,
  returnTo: ReturnPage,
): Promise<Outcome | null> {
  const input = { platform, fields, returnTo };
  const { url, connected, choice } = await crier.startConnect(input);
  if (url) {
    window.location.assign(url);
    return null;
  }
  if (choice) return { choiceId: choice.id };
  return { connected: (connected ?? []).map(({ platformId }) => platformId) };
}

/** Connects a new account of the sandbox. The service refuses it where posts go to the real networks. */
export async function connectSandbox(platform: string): Promise<Outcome> {
  const { connected } = await crier.createSandboxAccount({ platform });
  return { connected: connected.map(({ platformId }) => platformId) };
}

export interface ConnectField {
  name: string;
  title: string;
  description: string;
  initial: string;
  isSecret: boolean;
  isRequired: boolean;
}

/** The fields of a form, as the description of the network has them. */
export function fieldsOf({ fields }: Pick<ConnectablePlatform, 'fields'>): ConnectField[] {
  const required = Array.isArray(fields?.required) ? fields.required : [];
  return Object.entries(Object(fields?.properties)).map(([name, about]) => {
    const { title = name, description = '', default: initial = '', secret = false } = Object(about);
    return {
      name,
      title: String(title),
      description: String(description),
      initial: String(initial),
      isSecret: secret === true,
      isRequired: required.includes(name),
    };
  });
}

/** The networks that one could add: they can be connected, and none of the channels is on them. */
export const notYetConnected = <T extends Pick<ConnectablePlatform, 'platform' | 'available'>>(
  platforms: readonly T[],
  channels: readonly { platform: string }[],
): T[] =>
  platforms.filter(
    ({ platform, available }) => available && !channels.some((channel) => channel.platform === platform),
  );

/** Why connecting failed, as the service left it for this page. It can be read once. */
export function takeConnectProblem(): string {
  const name = 'crier.connect-problem=';
  const found = document.cookie.split('; ').find((pair) => pair.startsWith(name));
  if (!found) return 'Nothing was connected: the network gave no access. Try again.';
  // biome-ignore lint/suspicious/noDocumentCookie: The Cookie Store API needs https.
  document.cookie = `${name}; Path=/; Max-Age=0`;
  return decodeURIComponent(found.slice(name.length));
}
