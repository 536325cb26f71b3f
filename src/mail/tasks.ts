import type { App } from '../app.ts';
import type { PeriodicTask } from '../periodic/periodic-tasks.ts';
import { daily } from '../periodic/schedule.ts';
import { mailIsOn } from './mailer.ts';
import { deleteEnded } from './queries.ts';
import { type MailSender, startMailSender } from './sender.ts';

const keptMs = 60 * 24 * 3_600_000;

export function startMail(app: App): MailSender {
  if (!mailIsOn(app)) {
    app.log.warn(
      'MAIL_URL is not set, so Crier sends no mail: nobody can reset a password or is told of a broken connection. ' +
        'Passwords can be reset with `npm run admin -- reset-password`.',
    );
  }
  return startMailSender(app);
}

export const mailTasks = ({ db, clock }: Pick<App, 'db' | 'clock'>): PeriodicTask[] => [
  {
    name: 'prune-mails',
    schedule: daily('04:07'),
    run: async () => void (await deleteEnded(db, new Date(clock.now().getTime() - keptMs))),
  },
];
