import { ConnectionError, CrierError } from '@crier/client';
import { Alert, Button, Code, CopyButton, Group, Text } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { withPlainNames } from '../lib/platform-name.ts';
import { ButtonLink } from './links.tsx';

/** What went wrong, what to do, and the request ID for support. */
export function ErrorState({ error, onRetry }: { error: unknown; onRetry?: (() => void) | undefined }) {
  const { message, hint, requestId } = describe(error);
  return (
    <Alert color="red" variant="light" icon={<IconAlertTriangle aria-hidden />} title={message} role="alert">
      {hint && <Text size="sm">{hint}</Text>}
      <Group mt="sm" gap="sm">
        {onRetry && (
          <Button size="xs" color="red.9" variant="filled" onClick={onRetry}>
            Try again
          </Button>
        )}
        {isLimit(error) && (
          <ButtonLink to="/settings/usage" size="xs" color="red.9" variant="filled">
            View plan limits
          </ButtonLink>
        )}
        {requestId && (
          <CopyButton value={requestId}>
            {({ copied, copy }) => (
              <Button size="xs" variant="transparent" color="red" px={0} onClick={copy}>
                {copied ? 'Copied' : 'Copy request ID'} <Code ml={6}>{requestId.slice(-8)}</Code>
              </Button>
            )}
          </CopyButton>
        )}
      </Group>
    </Alert>
  );
}

export function describe(error: unknown): {
  message: string;
  hint?: string | undefined;
  requestId?: string | undefined;
} {
  if (error instanceof ConnectionError)
    return { message: 'Can’t reach Crier.', hint: 'Check your connection, then try again.' };
  if (error instanceof CrierError) {
    // The message of the error ends with the hint.
    const { body, hint, requestId } = error;
    return {
      message: withPlainNames(body.message ?? body.error ?? error.message),
      hint: (hint && !namesRoute(hint) ? hint : undefined) ?? resetOf(body),
      requestId,
    };
  }
  return {
    message: 'Something went wrong on this page. Reload it and try again.',
    hint: error instanceof Error ? error.message : undefined,
  };
}

/** For these, the usage page shows when the limit resets and how to make room. */
const isLimit = (error: unknown) =>
  error instanceof CrierError && /_LIMIT_REACHED$|_OVER_LIMIT$/.test(error.code ?? '');

/** For API clients. The page has buttons instead. */
const namesRoute = (hint: string) => /\b(GET|POST|PUT|PATCH|DELETE) \//.test(hint);

function resetOf(body: object): string | undefined {
  const { periodEnd } = Object(body);
  if (typeof periodEnd !== 'string') return undefined;
  return `The limit resets on ${new Date(periodEnd).toLocaleDateString(undefined, { dateStyle: 'long' })}.`;
}
