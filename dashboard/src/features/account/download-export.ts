import { CrierError, type DeleteAccountInput, type Problem } from '@crier/client';
import { saveFile } from '../../lib/files/save-file.ts';
import { watchedFetch } from '../../lib/live/connection.ts';

export type Proof = DeleteAccountInput;

/**
 * Saves everything that the account owns as a file. The browser keeps a large response on disk, and one that breaks off
 * is an error instead of half a file. Always the person's own account, whichever brand is shown.
 */
export async function downloadExport(proof: Proof): Promise<void> {
  const response = await watchedFetch('/api/v1/auth/export', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(proof),
  });
  if (!response.ok) throw await refusalOf(response);
  saveFile(nameOf(response), await response.blob());
}

const nameOf = ({ headers }: Response) =>
  /filename="([\w.-]+)"/.exec(headers.get('content-disposition') ?? '')?.[1] ?? 'crier-export.json';

async function refusalOf(response: Response): Promise<CrierError> {
  const body: Partial<Problem> = await response.json().catch(() => ({}));
  const { error = 'The export failed.', code = 'UNKNOWN' } = body;
  return new CrierError(error, { code, status: response.status, body });
}
