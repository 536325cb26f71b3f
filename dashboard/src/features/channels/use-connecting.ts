import type { ConnectablePlatform } from '@crier/client';
import { useMutation } from '@tanstack/react-query';
import { connect, connectSandbox, fieldsOf, type Outcome, type ReturnPage } from './connect.ts';

export interface Connecting {
  error: Error | null;
  /** The network whose button was clicked, until there is a response or the tab has left for the consent page. */
  busy: string | null;
  start(platform: ConnectablePlatform): void;
}

/** The action of a network's button: opens the consent page, or the form if the network needs details first. */
export function useConnecting({
  returnTo,
  withoutForms = false,
  onChoose,
  onOutcome,
}: {
  returnTo: ReturnPage;
  /** Sandbox only: networks with a form get a new account, and other fields keep their defaults. */
  withoutForms?: boolean;
  onChoose: (network: string) => void;
  onOutcome: (outcome: Outcome) => void;
}): Connecting {
  const starting = useMutation({
    mutationFn: ({ platform, kind }: ConnectablePlatform) =>
      withoutForms && kind === 'form' ? connectSandbox(platform) : connect(platform, {}, returnTo),
    onSuccess: (outcome) => outcome && onOutcome(outcome),
  });
  // The tab is leaving for the consent page, so the button keeps its spinner.
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
