import { brand, htmlPage, secretPageHeaders } from '../../../foundation/http/answers/html-page.ts';
import { escapeHtml } from '../../../foundation/text/escape-html.ts';
import type { listConnections } from '../list-connections.ts';
import type { listConnectables, OfferedAccount } from './connect.ts';

export interface LinkView {
  /** Who sent the link. Empty if unknown. */
  ownerName: string;
  displayName: string;
  expiresAt: string;
  connections: Awaited<ReturnType<typeof listConnections>>['connections'];
  platforms: ReturnType<typeof listConnectables>;
}
type Platform = LinkView['platforms'][number];

/** The result of the last action. `connected` has the account names. */
export type LinkOutcome =
  | { connected: readonly string[] }
  | { choice: { id: string; platform: string; accounts: readonly OfferedAccount[] } }
  | { problem: string; form?: FilledForm };

/** A rejected form is shown again with its input. */
export interface FilledForm {
  platform: string;
  values: Readonly<Record<string, unknown>>;
}

/** A form redirects to a consent page, which can be on any host. */
export const pageHeaders = secretPageHeaders('*');

export function linkPage(token: string, view: LinkView, outcome: LinkOutcome | null): string {
  const available = view.platforms.filter(({ available }) => available);
  const refused = outcome && 'problem' in outcome ? outcome : null;
  const isShownBelow = available.some((platform) => isFilled(platform, refused));
  return page(`
<h1>Connect your accounts</h1>
<p>${invitation(view)} Posts can then be published to them.
This page expires on ${longDate.format(new Date(view.expiresAt))}. Don’t share its address.</p>
${outcome && !isShownBelow ? notice(token, outcome) : ''}
<h2>Connected</h2>
${view.connections.length === 0 ? '<p>No accounts yet.</p>' : `<ul>${view.connections.map((one) => connection(one, view)).join('')}</ul>`}
<h2>Connect ${view.connections.length === 0 ? 'an' : 'another'} account</h2>
${available.map((platform) => connectForm(token, platform, refused)).join('')}`);
}

export const linkGonePage = () =>
  page(`
<h1>This link does not work</h1>
<p>It has expired, was revoked or is incomplete. Ask the person who sent it to you for a new one.</p>`);

const invitation = ({ ownerName, displayName }: LinkView) =>
  ownerName === ''
    ? `Connect the accounts of ${strong(displayName)}.`
    : `${strong(ownerName)} asks you to connect the accounts of ${strong(displayName)}.`;

const strong = (text: string) => `<strong>${escapeHtml(text)}</strong>`;

const longDate = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

function notice(token: string, outcome: LinkOutcome): string {
  if ('problem' in outcome) return alert(outcome.problem);
  if ('choice' in outcome) return choiceForm(`/connect/${token}/choices/${outcome.choice.id}`, outcome.choice.accounts);
  return `<p role="status" class="good">Connected: ${escapeHtml(outcome.connected.join(', '))}. You can connect more, or close this page.</p>`;
}

function connection(
  { platformId, username, displayName, connectionStatus }: LinkView['connections'][number],
  view: LinkView,
) {
  const platform = platformId.slice(0, platformId.indexOf('-'));
  const name = view.platforms.find((one) => one.platform === platform)?.name ?? platform;
  const state = connectionStatus === 'active' ? '' : ' (expired, reconnect it)';
  return `<li>${escapeHtml(`${name}: ${displayName ?? username ?? platformId}${state}`)}</li>`;
}

const alert = (problem: string) => `<p role="alert" class="bad">${escapeHtml(problem)}</p>`;

type Refused = Extract<LinkOutcome, { problem: string }>;

const isFilled = ({ platform, fields }: Platform, refused: Refused | null) =>
  refused?.form?.platform === platform && Object.keys(propertiesOf(fields)).length > 0;

/** A plain button for networks without fields. Forms open on demand, so that all networks fit on a phone. */
function connectForm(token: string, platform: Platform, refused: Refused | null): string {
  const { platform: id, name, fields } = platform;
  const isOpen = isFilled(platform, refused);
  const values = isOpen ? refused?.form?.values : {};
  const inputs = Object.entries(propertiesOf(fields)).map(([field, about], index) =>
    // The browser scrolls to the focused field, so that the error is visible.
    input(id, field, about, { written: values?.[field], hasFocus: isOpen && index === 0 }),
  );
  const start = `<form method="post" action="/connect/${token}/${id}"`;
  const text = escapeHtml(name);
  if (inputs.length === 0)
    return `${start} class="row"><span>${text}</span><button aria-label="Connect ${text}">Connect</button></form>`;
  return `<details${isOpen ? ' open' : ''}><summary>${text}</summary>
${isOpen && refused ? alert(refused.problem) : ''}
${stepsBefore(fields)}${start}>${inputs.join('\n')}<button>Connect ${text}</button></form>
</details>`;
}

/** The steps that the user takes on the network first: each line of the form's description is one. */
function stepsBefore(fields: Platform['fields']): string {
  const steps = typeof fields?.description === 'string' ? fields.description.split('\n') : [];
  return steps.length > 0 ? `<ol>${steps.map((step) => `<li>${escapeHtml(step)}</li>`).join('')}</ol>\n` : '';
}

interface Field {
  title?: string;
  description?: string;
  default?: string;
  secret?: boolean;
}

const propertiesOf = (schema: Platform['fields']) => (schema?.properties ?? {}) as Record<string, Field>;

function input(
  platform: string,
  field: string,
  { title = field, description = '', default: preset = '', secret }: Field,
  { written, hasFocus }: { written: unknown; hasFocus: boolean },
) {
  const value = typeof written === 'string' ? written : preset;
  const id = `${platform}-${field}`;
  const type = secret ? 'type="password" autocomplete="off"' : `value="${escapeHtml(value)}"`;
  return `<p><label for="${id}">${escapeHtml(title)}</label><input id="${id}" name="${field}" ${type}${hasFocus ? ' autofocus' : ''} aria-describedby="${id}-about">
<small id="${id}-about">${escapeHtml(description)}</small></p>`;
}

const choiceForm = (action: string, accounts: readonly OfferedAccount[]) => `
<form method="post" action="${action}">
<fieldset><legend>Choose accounts to connect</legend>
${accounts.map(choiceBox).join('')}
<button>Connect selected accounts</button>
</fieldset>
</form>`;

/** The handle distinguishes accounts with the same name, such as a person and their company. */
function choiceBox({ accountId, displayName, handle }: OfferedAccount): string {
  const more = displayName && handle !== displayName ? `<small>${escapeHtml(handle)}</small>` : '';
  const box = `<input type="checkbox" name="accountIds" value="${escapeHtml(accountId)}">`;
  return `<p><label>${box}<span>${escapeHtml(displayName || handle)}${more}</span></label></p>`;
}

const page = (content: string) => htmlPage('Connect your accounts', `<main>\n${brand}${content}\n</main>`);
