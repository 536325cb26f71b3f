import type { App } from '../../app.ts';
import type { Server } from '../../foundation/http/server.ts';
import { requireSession } from '../auth/access/session.ts';
import { keepAccount, requestDeletion } from './deletion.ts';
import * as examples from './examples.ts';
import { type ExportLimits, exportAccount } from './export/export-account.ts';
import { Proof } from './proof-schema.ts';
import * as shape from './schema.ts';

/** What a person does with the whole account: take its data, and leave (contract.md#dashboard-routes.account). */
export function accountDataRoutes(server: Server, app: App, limits?: ExportLimits) {
  const tags = ['Session'];
  const onRequest = requireSession(app);
  const proofProblems = [
    'password_required',
    'password_incorrect',
    'two_factor_code_required',
    'two_factor_code_invalid',
    'passkey_response_required',
    'passkey_refused',
    'too_many_requests',
  ] as const;

  server.post(
    '/auth/export',
    {
      onRequest,
      schema: {
        operationId: 'exportAccount',
        summary: 'Export the account',
        description:
          'Takes the password (with a code if two-factor sign-in is on) or a passkey. Returns everything the user owns as one JSON document, which is written while it is read, without secrets and without the bytes of files. One export per user at a time. The user gets an email.',
        tags,
        example: examples.exportAccount,
        body: Proof,
        response: { 200: shape.AccountExport },
      },
      config: {
        rate: 'accountExport',
        whileLeaving: true,
        problems: [...proofProblems, 'export_in_progress', 'exports_busy'],
      },
    },
    async (request, reply) => {
      const document = await exportAccount(app, request.body, request, () => reply.raw.destroyed, limits);
      const day = app.clock.now().toISOString().slice(0, 10);
      reply.headers({
        'content-disposition': `attachment; filename="crier-export-${day}.json"`,
        'cache-control': 'no-store',
      });
      return reply.type('application/json; charset=utf-8').send(document as never);
    },
  );

  server.post(
    '/auth/deletion',
    {
      onRequest,
      schema: {
        operationId: 'deleteAccount',
        summary: 'Delete the account',
        description:
          'Takes the password (with a code if two-factor sign-in is on) or a passkey. The account is erased after seven days, with its managed users who have no password; the others leave the workspace. Until then, nothing of it is published or changed, and the user can keep it. All other sessions end, and the user gets an email.',
        tags,
        example: examples.deleteAccount,
        body: Proof,
        response: { 200: shape.Deletion },
      },
      config: { rate: 'password', whileLeaving: true, problems: [...proofProblems, 'last_account'] },
    },
    async (request) => {
      const deletionAt = await requestDeletion(app, request.body, request);
      return {
        message: 'The account will be deleted. Until then, you can keep it.',
        deletionAt: deletionAt.toISOString(),
      };
    },
  );

  server.delete(
    '/auth/deletion',
    {
      onRequest,
      schema: {
        operationId: 'keepAccount',
        summary: 'Keep the account',
        description:
          'Cancels the deletion of the account. Posts that were due in the meantime are drafts, and are not published late. The user gets an email.',
        tags,
        example: examples.keepAccount,
        response: { 200: shape.Deletion },
      },
      config: { whileLeaving: true, problems: ['deletion_started'] },
    },
    async (request) => {
      await keepAccount(app, request);
      return { message: 'The account stays', deletionAt: null };
    },
  );
}
