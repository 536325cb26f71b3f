import type { Page } from 'playwright-core';
import { sandboxControl } from '../../../test/support/servers/sandbox-control.ts';
import type { Stage } from './stage.ts';

/** The parts of "Channels" that journeys use, by their accessible names. */
export const channels = {
  async choose(page: Page, network: string) {
    await page.getByRole('button', { name: 'Add channel' }).click();
    await page.getByRole('dialog').getByRole('button', { name: network, exact: true }).click();
  },

  /** On the consent page of a network. */
  async decide(page: Page, decision: 'Allow' | 'Deny', handle: string) {
    await page.getByLabel('A new account').check();
    await page.getByLabel('User name of the new account').fill(handle);
    await page.getByRole('button', { name: decision }).click();
  },

  /** The channel with this name, once it can be used. */
  async healthy(page: Page, name: RegExp) {
    const channel = page.getByRole('listitem', { name });
    await channel.getByText('Healthy').waitFor();
    return channel;
  },
};

/** Creates a sandbox account with its credentials. */
export const makeAccount = ({ service: { sandbox } }: Stage, network: string, handle: string) =>
  sandboxControl(sandbox.url)<{ credentials: Record<string, string> }>('POST', '/accounts', { network, handle });
