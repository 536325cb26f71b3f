import type { App } from '../../app.ts';
import type { Mailer } from './mailer.ts';

/** Null if mail is off. The mailer is loaded when the first mail is sent. */
export async function openMailer({
  config,
  sandboxUrl,
  platformAccess,
}: Pick<App, 'config' | 'sandboxUrl' | 'platformAccess'>): Promise<Mailer | null> {
  if (config.mailServer) return (await import('./smtp-mailer.ts')).smtpMailer(config.mailServer);
  if (sandboxUrl !== null) return (await import('./sandbox-mailer.ts')).sandboxMailer(sandboxUrl, platformAccess);
  return null;
}
