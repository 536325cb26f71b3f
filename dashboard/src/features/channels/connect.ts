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

/** The result of connecting without leaving the page: accounts, or a choice among several. */
export type Outcome = { connected: readonly string[] } | { choiceId: string };

/** Where the consent page redirects to. */
export type ReturnPage = '/channels' | '/welcome';

/** In the tab, because it leaves for the consent page. */
const reconnectedKey = 'crier.reconnecting';

/** The channel that the last consent or form should make work again. */
export const reconnectedChannel = (): string | null => sessionStorage.getItem(reconnectedKey);

export function forgetReconnected() {
  sessionStorage.removeItem(reconnectedKey);
}

/** Opens the consent page in this tab or, for networks that only need a form, returns the result. */
export async function connect(
  platform: string,
  fields: Record<string, string>,
  returnTo: ReturnPage,
  reconnected?: string,
): Promise<Outcome | null> {
  forgetReconnected();
  if (reconnected) sessionStorage.setItem(reconnectedKey, reconnected);
  const input = { platform, fields, returnTo };
  const { url, connected, choice } = await crier.startConnect(input);
  if (url) {
    window.location.assign(url);
    return null;
  }
  if (choice) return { choiceId: choice.id };
  return { connected: (connected ?? []).map(({ platformId }) => platformId) };
}

/** Connects a new sandbox account. The service rejects this in live mode. */
export async function connectSandbox(platform: string): Promise<Outcome> {
  forgetReconnected();
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

/** The form fields from the network's description. */
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

/** What the user does on the network before filling in the form: each line of the description is a step. */
export const stepsOf = ({ fields }: Pick<ConnectablePlatform, 'fields'>): string[] =>
  typeof fields?.description === 'string' ? fields.description.split('\n') : [];

/** Available networks without a channel. */
export const notYetConnected = <T extends Pick<ConnectablePlatform, 'platform' | 'available'>>(
  platforms: readonly T[],
  channels: readonly { platform: string }[],
): T[] =>
  platforms.filter(
    ({ platform, available }) => available && !channels.some((channel) => channel.platform === platform),
  );

/** Why connecting failed, from a cookie that the service set. It can be read once. */
export function takeConnectProblem(): string {
  const name = 'crier.connect-problem=';
  const found = document.cookie.split('; ').find((pair) => pair.startsWith(name));
  if (!found) return 'The network didn’t grant access, so nothing was connected. Try again.';
  // biome-ignore lint/suspicious/noDocumentCookie: The Cookie Store API needs https.
  document.cookie = `${name}; Path=/; Max-Age=0`;
  return decodeURIComponent(found.slice(name.length));
}
