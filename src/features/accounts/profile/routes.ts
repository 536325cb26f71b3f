import type { App } from '../../../app.ts';
import type { Server } from '../../../foundation/http/server.ts';
import { requireSession } from '../../auth/access/session.ts';
import * as examples from './examples.ts';
import { changeProfile, readProfile } from './profile.ts';
import * as shape from './schema.ts';

/** The name and preferences of the signed-in user. */
export function profileRoutes(server: Server, app: App) {
  const tags = ['Dashboard'];
  const onRequest = requireSession(app);

  server.get(
    '/auth/profile',
    {
      onRequest,
      schema: {
        operationId: 'getProfile',
        summary: 'Read the profile',
        description: "Returns the user's name and their date and time preferences.",
        tags,
        example: examples.getProfile,
        response: { 200: shape.Profile },
      },
    },
    async ({ session }) => shape.presentProfile(await readProfile(app, session.userId)),
  );

  server.patch(
    '/auth/profile',
    {
      onRequest,
      schema: {
        operationId: 'updateProfile',
        summary: 'Change the profile',
        description: "Changes the fields in the body. Null means the browser's setting.",
        tags,
        example: examples.updateProfile,
        body: shape.UpdateProfile,
        response: { 200: shape.Profile },
      },
      config: {
        problems: [
          'profile_empty',
          'profile_name_invalid',
          'profile_time_zone_invalid',
          'profile_language_invalid',
          'profile_dismissed_invalid',
        ],
      },
    },
    async ({ session, body }) => shape.presentProfile(await changeProfile(app, session.userId, body)),
  );
}
