import type { RemotePost } from '../../src/platforms/kit/index.ts';
import { linkedin } from '../../src/platforms/linkedin/index.ts';
import { anImage } from '../support/files/media.ts';
import { publish, type Recording } from './recording.ts';

/** Features beyond posts that only one network offers. */
export async function specialCalls(recording: Recording, post: RemotePost): Promise<void> {
  if (recording.platform.id !== linkedin.id) return;
  const settings = { repostEnabled: true, repostParentUrn: post.id };
  await publish(recording, { text: 'Worth a read', settings, handle: 'reader' });
  await interactAs(recording.member, recording, post.id);
  const page = await recording.stage.aMember('company-acme');
  await interactAs(page, recording, post.id);
}

async function interactAs(member: Recording['member'], { stage }: Recording, on: string): Promise<void> {
  const { actions } = linkedin;
  const ctx = { ...stage.aPost(member)(), credentials: linkedin.credentials.parse(member.credentials) };
  const { bytes, type } = await anImage();
  const image = await actions.uploadImage(new Blob([new Uint8Array(bytes)], { type }), ctx);
  const { id, commentUrn } = await actions.comment({ on, message: actions.plainMessage('Well said'), image }, ctx);
  await actions.comment({ on, message: actions.plainMessage('Indeed'), parent: commentUrn }, ctx);
  await actions.react({ on, type: 'PRAISE' }, ctx);
  await actions.peopleAround(on, ctx);
  await actions.removeReaction(on, ctx);
  if (id !== null) await actions.removeComment({ on, commentId: id }, ctx);
  await actions.reshare({ parent: on, commentary: 'Read this', visibility: 'PUBLIC' }, ctx);
  await actions.followers(ctx);
  await actions.followersByDay(week, ctx);
  for (const metric of actions.metrics) {
    await actions.postCounts(on, metric, ctx);
    await actions.accountCounts(metric, week, ctx);
    if (metric !== 'MEMBERS_REACHED') await actions.accountCountsByDay(metric, week, ctx);
  }
}

const week = { start: { year: 2026, month: 3, day: 2 }, end: { year: 2026, month: 3, day: 9 } };
