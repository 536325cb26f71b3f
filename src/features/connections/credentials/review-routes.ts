import type { preParsingAsyncHookHandler } from 'fastify';
import { z } from 'zod';
import type { App } from '../../../app.ts';
import { brand, htmlPage, readForms, secretPageHeaders } from '../../../foundation/http/answers/html-page.ts';
import { boundedRecord } from '../../../foundation/http/requests/bounded-record.ts';
import type { Server } from '../../../foundation/http/server.ts';
import { connectables } from '../../../platforms/index.ts';
import type { Connectable } from '../../../platforms/kit/index.ts';
import { deauthorize, deleteData, deletionTime } from './withdrawal.ts';

const PlatformPath = z.object({ platform: z.string() });
const CodePath = z.object({ code: z.string() });
const Form = boundedRecord(z.string(), 20);
const config = { failure: 'connect_failed' } as const;

/**
 * Endpoints that networks require before other people's accounts can connect: callbacks for when a user removes the
 * service or requests deletion of their data, and files that prove ownership of the site. Networks and their
 * reviewers call them, so they are not in the API reference.
 */
export async function reviewRoutes(root: Server, app: App, limitCallers: preParsingAsyncHookHandler) {
  siteFileRoutes(root, app);
  await root.register(async (server: Server) => {
    server.addHook('preParsing', limitCallers);
    readForms(server, (form) => Object.fromEntries(form));

    server.post(
      '/networks/:platform/deauthorized',
      { config, schema: { hide: true, params: PlatformPath, body: Form } },
      async ({ params, body }) => {
        await deauthorize(app, params.platform, body);
        return { success: true };
      },
    );

    server.post(
      '/networks/:platform/data-deletion',
      { config, schema: { hide: true, params: PlatformPath, body: Form } },
      ({ params, body }) => deleteData(app, params.platform, body),
    );

    server.get(
      '/networks/data-deletion/:code',
      { config, schema: { hide: true, params: CodePath } },
      async ({ params }, reply) => {
        const at = deletionTime(app, params.code);
        return reply
          .code(at ? 200 : 404)
          .headers(secretPageHeaders("'self'"))
          .type('text/html; charset=utf-8')
          .send(at ? deletedPage(at) : unknownPage);
      },
    );
  });
}

function siteFileRoutes(server: Server, { platformAccess }: Pick<App, 'platformAccess'>) {
  for (const { id, siteFiles } of Object.values<Connectable>(connectables)) {
    for (const { name, content } of siteFiles?.(platformAccess.options?.[id] ?? {}) ?? []) {
      // Networks verify either the site itself or the path that files are fetched from.
      for (const url of [`/${name}`, `/media/${name}`]) {
        server.get(url, { schema: { hide: true }, config: { quiet: true } }, async (_request, reply) =>
          reply.type('text/plain; charset=utf-8').send(content),
        );
      }
    }
  }
}

const deletedPage = (at: Date) =>
  htmlPage(
    'Data deleted',
    `${brand}<h1>Your data was deleted</h1><p class="good">On ${at.toUTCString()}, the connection to your account was deleted from this service, with its access, its name and its picture.</p><p>Posts that were published stay on the network until you delete them there.</p>`,
  );

const unknownPage = htmlPage(
  'Unknown code',
  `${brand}<h1>Unknown code</h1><p class="bad">No deletion has this code. Check that you copied the whole address.</p>`,
);
