import { createFileRoute } from '@tanstack/react-router';
import { ImportPage } from '../../features/posts/import/import-page.tsx';
import { pageTitle } from '../../lib/page-title.ts';

export const Route = createFileRoute('/_app/posts/import')({ head: pageTitle('Import posts'), component: ImportPage });
