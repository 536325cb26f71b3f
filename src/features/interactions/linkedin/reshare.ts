import { Problem } from '../../../foundation/errors/index.ts';
import { linkedinLimits } from '../../../foundation/errors/linkedin.ts';
import type { Who } from '../../auth/access/api-key.ts';
import type { ActingApp } from '../../connections/credentials/act-as-account.ts';
import { actAsLinkedIn, actions, linkedinConnection } from '../../insights/linkedin/act-as-linkedin.ts';
import { type Input, isMissing, readString } from '../../insights/linkedin/input.ts';
import { idWarning } from './id-warning.ts';

/** contract.md#linkedin-reshare */
export async function createReshare(app: ActingApp, who: Who, input: Input) {
  const { platformId, parent } = input;
  if (isMissing(platformId) || isMissing(parent)) throw new Problem('linkedin_reshare_fields_missing');
  const accountId = readReshareAccount(platformId);
  const wanted = {
    parent: readReshareParent(parent),
    commentary: readCommentary(input.commentary),
    visibility: readVisibility(input.visibility),
  };
  const connection = await linkedinConnection(app, who.userId, accountId);
  if (wanted.visibility === 'CONNECTIONS' && connection.traits.isCompanyPage === true) {
    throw new Problem('linkedin_visibility_of_page');
  }
  const reshare = await actAsLinkedIn(app, connection, { failure: 'linkedin_reshare_failed' }, (ctx) => {
    if (actions.isPageWithoutId(ctx)) throw new Problem('linkedin_organization_missing');
    return actions.reshare(wanted, ctx);
  });
  return { success: true as const, reshare, ...idWarning(reshare.id) };
}

/** Only this route accepts an id without its prefix. */
function readReshareAccount(platformId: unknown): string {
  const given = readString(platformId, 'linkedin_platform_id_not_string').trim();
  if (given === '') throw new Problem('linkedin_platform_id_empty');
  const id = given.replace(/^linkedin-/, '');
  if (!/^[^\s/?#]+$/.test(id)) throw new Problem('linkedin_platform_id_invalid');
  return id;
}

function readReshareParent(parent: unknown): string {
  const urn = readString(parent, 'linkedin_parent_not_string').trim();
  if (urn === '') throw new Problem('linkedin_parent_empty');
  if (!/^urn:li:(share|ugcPost):\d+$/.test(urn)) throw new Problem('linkedin_parent_invalid');
  return urn;
}

function readCommentary(commentary: unknown): string {
  if (isMissing(commentary)) return '';
  const text = readString(commentary, 'linkedin_commentary_not_string');
  if (text.length > linkedinLimits.commentaryLength) throw new Problem('linkedin_commentary_too_long');
  if (actions.hasWebProfileMention(text)) throw new Problem('linkedin_mention_unrenderable');
  if (actions.littleText(text).length > linkedinLimits.commentaryLength)
    throw new Problem('linkedin_commentary_too_long_formatted');
  return text;
}

function readVisibility(visibility: unknown): 'PUBLIC' | 'CONNECTIONS' {
  if (isMissing(visibility)) return 'PUBLIC';
  const wanted = readString(visibility, 'linkedin_visibility_not_string').trim().toUpperCase();
  if (wanted !== 'PUBLIC' && wanted !== 'CONNECTIONS') throw new Problem('linkedin_visibility_invalid');
  return wanted;
}
