import type { Scope } from '@crier/client';

/** What a key can do, in the order of the form. */
export const scopes: readonly { value: Scope; label: string; about: string }[] = [
  { value: 'read', label: 'Read', about: 'Posts, channels, statistics' },
  { value: 'write', label: 'Write', about: 'Create, edit, publish and delete posts, comments and reactions' },
  { value: 'media', label: 'Media', about: 'Upload and delete files' },
  { value: 'webhooks', label: 'Webhooks', about: 'Create, edit and delete webhooks' },
  { value: 'workspace', label: 'Workspace', about: 'Manage workspace users and act for them' },
];

export const isScope = (value: string): value is Scope => scopes.some((scope) => scope.value === value);

export function scopeSummary(granted: readonly Scope[]): string {
  if (scopes.every(({ value }) => granted.includes(value))) return 'All scopes';
  const names = scopes.filter(({ value }) => granted.includes(value)).map(({ label }) => label);
  return names.join(', ') || 'None';
}

/** Splits addresses at commas, semicolons, spaces and line breaks. */
export const readAddresses = (text: string): string[] => text.split(/[\s,;]+/).filter(Boolean);

export const expiries = [
  { value: '', label: 'Never' },
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In 1 year' },
];

/** The expiry this many days from now, or null for a key that doesn't expire. */
export const expiresIn = (days: string, now = Date.now()): string | null =>
  days ? new Date(now + Number(days) * 86_400_000).toISOString() : null;
