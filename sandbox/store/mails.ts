import type { DatabaseSync } from 'node:sqlite';

export interface Mail {
  /** Counts up. */
  readonly id: number;
  readonly to: string;
  readonly from: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly receivedAt: number;
}

export type NewMail = Omit<Mail, 'id' | 'receivedAt'> & { readonly messageId: string };

const maxMails = 500;

/** The latest mails. A mail sent again under the same Message-ID is stored once. */
export function createMails(db: DatabaseSync, now: () => number) {
  const insert = db.prepare(`insert into mails (message_id, recipient, sender, subject, text, html, received_at)
    values (?, ?, ?, ?, ?, ?, ?) on conflict do nothing`);
  const dropOldest = db.prepare(`delete from mails where id <= (select max(id) from mails) - ${maxMails}`);
  const columns = 'id, recipient as "to", sender as "from", subject, text, html, received_at as receivedAt';
  const all = db.prepare(`select ${columns} from mails order by id`);
  const byId = db.prepare(`select ${columns} from mails where id = ?`);
  const counted = db.prepare('select count(*) as count from mails');

  return {
    add({ messageId, to, from, subject, text, html }: NewMail): void {
      insert.run(messageId, to, from, subject, text, html, now());
      dropOldest.run();
    },
    /** Oldest first. */
    list: (): Mail[] => all.all() as unknown as Mail[],
    find: (id: number): Mail | undefined => byId.get(id) as unknown as Mail | undefined,
    count: (): number => (counted.get() as { count: number }).count,
  };
}
