import type { LoggedRequestDetails } from '@crier/client';
import { Code, Group, Text, Title } from '@mantine/core';
import { useId } from 'react';
import { CopyIcon } from '../../../components/copy-value.tsx';
import classes from './requests.module.css';

/** A stored body, as formatted JSON if it is JSON. */
export function Body({
  title,
  body,
  headers,
}: {
  title: string;
  body: string | null;
  headers: LoggedRequestDetails['requestHeaders'];
}) {
  const heading = useId();
  const text = body && formatted(body);
  return (
    <section aria-labelledby={heading}>
      <Group gap={4} mb="xs" mih={28}>
        <Title order={3} size="h6" id={heading}>
          {title}
        </Title>
        {text && <CopyIcon value={text} label={`Copy ${title.toLowerCase()}`} />}
      </Group>
      {text ? (
        <Code block dir="ltr" className={classes.body} tabIndex={0} aria-labelledby={heading} role="group">
          {text}
        </Code>
      ) : (
        <Text size="sm" c="dimmed">
          {Number(headers?.['content-length'] ?? 0) === 0
            ? 'None, or not stored for this request.'
            : 'Not stored. To see the bodies of your next calls, choose “Store bodies for one hour” on this page.'}
        </Text>
      )}
    </section>
  );
}

function formatted(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    return body;
  }
}
