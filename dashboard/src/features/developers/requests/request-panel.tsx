import type { LoggedRequestDetails } from '@crier/client';
import { Alert, Anchor, Code, Drawer, Group, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { CopyIcon } from '../../../components/copy-value.tsx';
import { ErrorState } from '../../../components/error-state.tsx';
import { LoggedAt } from '../../../components/when.tsx';
import { apiKeysQuery, keyNameOf } from '../keys/queries.ts';
import { Body } from './body.tsx';
import { requestQuery } from './queries.ts';
import { referenceOf } from './reference.ts';
import { defaultClient, Status } from './request-table.tsx';
import classes from './requests.module.css';

/** One call with its timing, headers, bodies and the explanation of its error. */
export function RequestPanel({ callId, onClose }: { callId: string | undefined; onClose: () => void }) {
  const { data, error, refetch } = useQuery({ ...requestQuery(callId ?? ''), enabled: callId !== undefined });
  const title = data ? `${data.method} ${data.path}` : 'Request';
  return (
    <Drawer
      opened={callId !== undefined}
      onClose={onClose}
      position="right"
      size={560}
      title={title}
      styles={{ title: { fontFamily: 'var(--mantine-font-family-monospace)', overflowWrap: 'anywhere' } }}
    >
      {error && <ErrorState error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton h={240} aria-label="Loading request" />}
      {data && <Details request={data} />}
    </Drawer>
  );
}

function Details({ request }: { request: LoggedRequestDetails }) {
  const { at, status, code, error, hint, durationMs, keyPrefix, client, requestId, requestHeaders, responseHeaders } =
    request;
  const { waitedMs, requestBody, responseBody } = request;
  const reference = referenceOf(request);
  const { data: apiKeys = [] } = useQuery(apiKeysQuery);
  const keyName = keyNameOf(apiKeys, keyPrefix);
  return (
    <Stack gap="lg">
      {error && (
        <Alert color="red" variant="light" icon={<IconAlertTriangle aria-hidden />} title={error}>
          {hint && <Text size="sm">{hint}</Text>}
          {code && reference && (
            <Anchor size="sm" href={reference}>
              {code} in the API reference
            </Anchor>
          )}
        </Alert>
      )}
      <dl className={classes.facts}>
        <Fact name="Status">
          <Status status={status} code={code} />
        </Fact>
        <Fact name="Responded">
          <LoggedAt at={at} />
        </Fact>
        <Fact name="Duration">{milliseconds(durationMs)}</Fact>
        {waitedMs !== null && (
          <>
            <Fact name="Checks (key, limits, body)">{milliseconds(waitedMs)}</Fact>
            <Fact name="Processing">{milliseconds(Math.max(0, durationMs - waitedMs))}</Fact>
          </>
        )}
        <Fact name="Key">
          {keyName && `${keyName} `}
          <Code>{keyPrefix}…</Code>
        </Fact>
        {client && <Fact name="Client">{client === defaultClient ? 'API' : client}</Fact>}
        <Fact name="Request ID">
          <Group gap={4}>
            <Code>{requestId}</Code>
            <CopyIcon value={requestId} label="Copy request ID" />
          </Group>
        </Fact>
      </dl>
      <Headers title="Request headers" headers={requestHeaders} />
      <Body title="Request body" body={requestBody} headers={requestHeaders} />
      <Headers title="Response headers" headers={responseHeaders} />
      <Body title="Response body" body={responseBody} headers={responseHeaders} />
      <Text size="sm" c="dimmed">
        Keys and cookies aren’t stored. Bodies are stored only while storing them is turned on, without secrets, and
        deleted after a day.
      </Text>
    </Stack>
  );
}

const milliseconds = (value: number) => `${value.toLocaleString('en')} ms`;

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

function Headers({ title, headers }: { title: string; headers: LoggedRequestDetails['requestHeaders'] }) {
  const heading = useId();
  const entries = Object.entries(headers ?? {}).sort(([one], [other]) => one.localeCompare(other));
  return (
    <section aria-labelledby={heading}>
      <Title order={3} size="h6" id={heading} mb="xs">
        {title}
      </Title>
      {entries.length === 0 && (
        <Text size="sm" c="dimmed">
          {headers ? 'None of the headers that Crier stores.' : 'Not stored for this request.'}
        </Text>
      )}
      <dl className={`${classes.facts} ${classes.headers}`} dir="ltr">
        {entries.map(([name, value]) => (
          <Fact key={name} name={name}>
            {value}
          </Fact>
        ))}
      </dl>
    </section>
  );
}
