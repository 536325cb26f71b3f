import type { App } from '../../app.ts';
import type { PeriodicTask } from '../../foundation/periodic/periodic-tasks.ts';
import { daily } from '../../foundation/periodic/schedule.ts';
import { adminCommandLine } from '../../foundation/system/admin-command-line.ts';
import { retentionStart } from '../../foundation/time/retention-start.ts';
import { mailIsOn } from './mailer.ts';
import { deleteEnded } from './queries.ts';
import { type MailSender, startMailSender } from './sender.ts';

export function startMail(app: App): MailSender {
  if (!mailIsOn(app)) {
    app.log.warn(
      'MAIL_URL is not set, so Crier sends no mail: users cannot reset passwords and get no notice of broken connections. ' +
        `Reset passwords with "${adminCommandLine('reset-password')}".`,
    );
  }
  return startMailSender(app);
}

export const mailTasks = ({ db, clock, config }: Pick<App, 'db' | 'clock' | 'config'>): PeriodicTask[] => [
  {
    name: 'prune-mails',
    schedule: daily('04:07'),
    run: (signal) => deleteEnded(db, retentionStart(config.retention.mails, clock.now()), signal),
  },
];
