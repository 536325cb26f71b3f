import type { ConnectablePlatform } from '@crier/client';
import { useMutation } from '@tanstack/react-query';
import { connect, connectSandbox, fieldsOf, type Outcome, type ReturnPage } from './connect.ts';

export interface Connecting {
  error: Error | null;
  /** The network whose button was pressed, until the answer is there or the tab has left for the consent page. */
  busy: string | null;
  start(platform: ConnectablePlatform): void;
}

/** What a button of a network does: it leads to the consent page, or to the form where the network asks for something first. */
export function useConnecting({
  returnTo,
  withoutForms = false,
  onChoose,
  onOutcome,
}: {
  returnTo: ReturnPage;
  /** Only in the sandbox: a network that needs a form gives a new account, and other questions have their usual answers. */
  withoutForms?: boolean;
  onChoose: (network: string) => void;
  onOutcome: (outcome: Outcome) => void;
}): Connecting {
  const starting = useMutation({
    mutationFn: ({ platform, kind }: ConnectablePlatform) =>
      withoutForms && kind === 'form' ? connectSandbox(platform) : connect(platform, {}, returnTo),
    onSuccess: (outcome) => outcome && onOutcome(outcome),
  });
  // The tab is leaving for the consent page, so the button keeps turning.
  const isBusy = starting.isPending || (starting.isSuccess && starting.data === null);
  return {
    error: starting.error,
    busy: isBusy ? starting.variables.platform : null,
    start(platform) {
      if (!withoutForms && fieldsOf(platform).length > 0) onChoose(platform.platform);
      else starting.mutate(platform);
    },
  };
}
