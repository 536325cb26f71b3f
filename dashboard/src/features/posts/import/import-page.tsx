import { Button, FileButton, Group, Paper, Progress, Stack, Text } from '@mantine/core';
import { IconFileImport, IconFileSpreadsheet } from '@tabler/icons-react';
import { type DragEvent, useState } from 'react';
import { ErrorState } from '../../../components/error-state.tsx';
import { BackLink, ButtonLink } from '../../../components/links.tsx';
import { PageHeader } from '../../../components/page-header.tsx';
import { count } from '../../../lib/posts/post-summary.ts';
import { ImportChoices } from './import-choices.tsx';
import { ImportColumns } from './import-columns.tsx';
import { ImportHelp } from './import-help.tsx';
import { ImportList } from './import-list.tsx';
import classes from './import-page.module.css';
import { useImport } from './use-import.ts';

type Import = ReturnType<typeof useImport>;

/** Imports posts from a file. Shows the result of each row before anything is stored. */
export function ImportPage() {
  const state = useImport();
  const { file, check, importing } = state;
  return (
    <>
      <PageHeader
        title="Import posts"
        about="Create posts in bulk from a spreadsheet or another service."
        back={<BackLink to="/posts">Posts</BackLink>}
      />
      <Stack gap="lg">
        <FileArea fileName={file?.name ?? null} isBusy={importing.isPending} onChoose={state.choose} />
        {!file && <ImportHelp />}
        {file && (
          <>
            <ImportColumns state={state} />
            <ImportChoices state={state} />
            <Summary state={state} />
            {check.error && <ErrorState error={check.error} onRetry={() => void check.refetch()} />}
            {importing.error && <ErrorState error={importing.error} onRetry={() => importing.mutate(state.open)} />}
            <ImportList file={file} outcomes={state.outcomes} times={state.times} isChecking={check.isFetching} />
          </>
        )}
      </Stack>
    </>
  );
}

function FileArea({
  fileName,
  isBusy,
  onChoose,
}: {
  fileName: string | null;
  isBusy: boolean;
  onChoose: (file: File) => Promise<void>;
}) {
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (file && !isBusy) void onChoose(file);
  };
  return (
    <Paper
      withBorder
      className={classes.drop}
      data-over={isOver || undefined}
      onDragOver={(event: DragEvent) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <IconFileSpreadsheet size={32} stroke={1.4} aria-hidden />
      <div className={classes.name}>
        <Text fw={600} dir="auto">
          {fileName ?? 'CSV or JSON Lines'}
        </Text>
        <Text size="sm" c="dimmed">
          {fileName ? 'Choose another file to start over.' : 'Drop a file here, or choose one.'}
        </Text>
      </div>
      <FileButton accept=".csv,.tsv,.txt,.jsonl,.ndjson,text/csv" onChange={(file) => file && void onChoose(file)}>
        {(props) => (
          <Button {...props} variant={fileName ? 'default' : 'filled'} disabled={isBusy}>
            Choose file
          </Button>
        )}
      </FileButton>
    </Paper>
  );
}

/** The numbers of imported and importable rows, and the import button. */
function Summary({ state: { outcomes, open, stored, check, importing } }: { state: Import }) {
  const kinds = [...outcomes.values()].map(({ kind }) => kind);
  const refused = kinds.filter((kind) => kind === 'refused').length;
  const imported = kinds.filter((kind) => kind === 'imported').length;
  const sentences = [
    check.isFetching && 'Checking rows…',
    imported > 0 && `${count(imported, 'post')} imported.`,
    open.length > 0 && `${count(open.length, 'row')} ready to import.`,
    refused > 0 && `${count(refused, 'row')} ${imported > 0 ? 'not imported' : 'can’t be imported'}.`,
  ];
  const total = open.length + stored.size;
  return (
    <Group justify="space-between" gap="sm">
      <Text role="status" fw={500}>
        {sentences.filter(Boolean).join(' ')}
      </Text>
      <Group gap="sm">
        {importing.isPending && (
          <Progress value={(stored.size / Math.max(total, 1)) * 100} w={140} aria-label="Import" animated />
        )}
        {imported > 0 && (
          <ButtonLink to="/posts" variant="default">
            View posts
          </ButtonLink>
        )}
        {(open.length > 0 || imported === 0) && (
          <Button
            leftSection={<IconFileImport size={18} aria-hidden />}
            disabled={open.length === 0}
            loading={importing.isPending || check.isFetching}
            onClick={() => importing.mutate(open)}
          >
            Import {count(open.length, 'post')}
          </Button>
        )}
      </Group>
    </Group>
  );
}
