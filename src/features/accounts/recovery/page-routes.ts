import type { FastifyReply, FastifyRequest, preParsingAsyncHookHandler } from 'fastify';
import { z } from 'zod';
import type { App } from '../../../app.ts';
import { Problem } from '../../../foundation/errors/index.ts';
import { readForms, secretPageHeaders } from '../../../foundation/http/answers/html-page.ts';
import type { Server } from '../../../foundation/http/server.ts';
import { invitationOf } from '../../auth/sign-up/invitations.ts';
import { requireOpenSignUp, verifiesAddresses } from '../../auth/sign-up/policy.ts';
import { signUp } from '../../auth/sign-up/sign-up.ts';
import { pendingSignUpOf, verifyEmail } from '../../auth/sign-up/verification.ts';
import { checkInput } from '../../users/check-input.ts';
import { SignUp } from '../../users/schema.ts';
import { confirmEmailChange, emailChangeOf } from '../profile/email-change.ts';
import * as pages from './pages.ts';
import { forgotPassword, passwordResetOf, resetPassword } from './password-reset.ts';
import { ForgotPassword, ResetPassword, VerifyEmailForm } from './schema.ts';
import { listStandingAccess } from './standing-access.ts';

const Token = z.string().max(200).catch('');
const schema = { hide: true, querystring: z.object({ token: Token }) };
const formSchema = { hide: true, body: z.looseObject({ token: Token }) };

/**
 * The pages behind links in mails. Opening one changes nothing, because virus scanners also open links in mails: the
 * page has a button. They set no cookies, so another site gains nothing by submitting their forms.
 */
export async function accountPageRoutes(root: Server, app: App, limitCallers: preParsingAsyncHookHandler) {
  await root.register(async (server: Server) => {
    server.addHook('preParsing', limitCallers);
    readForms(server, (form) => Object.fromEntries(form));
    server.addHook('onRequest', async (_, reply) => void reply.headers(secretPageHeaders("'self'")));
    passwordPages(server, app);
    verificationPages(server, app);
    emailChangePages(server, app);
    signUpPages(server, app);
  });
}

function passwordPages(server: Server, app: App) {
  const show = async (reply: FastifyReply, token: string, endAccess = true, problem?: Problem) => {
    const reset = await passwordResetOf(app, token);
    if (!reset) return send(reply, pages.goneLinkPages.password(), 404);
    const access = await listStandingAccess(app, reset.userId);
    return send(reply, pages.resetPasswordPage(token, { ...reset, access, endAccess }, problem), problem?.status);
  };

  server.get('/reset-password', { schema }, ({ query }, reply) => show(reply, query.token));
  server.post('/reset-password', { schema: formSchema }, async (request, reply) => {
    // A browser sends a checkbox only if it is checked.
    const form = { ...request.body, endAccess: request.body.endAccess !== undefined };
    const problem = await attempt(request, () => resetPassword(app, checkInput(ResetPassword, form), request));
    if (problem) return show(reply, form.token, form.endAccess, problem);
    return send(reply, pages.donePage('Password changed', 'You can now sign in with your new password.'));
  });

  server.get('/forgot-password', { schema }, (_, reply) => send(reply, pages.forgotPasswordPage()));
  server.post('/forgot-password', { schema: formSchema }, async (request, reply) => {
    let outcome = '';
    const problem = await attempt(request, async () => {
      outcome = await forgotPassword(app, checkInput(ForgotPassword, request.body).email, request);
    });
    if (problem) return send(reply, pages.forgotPasswordPage(problem), problem.status);
    return send(reply, pages.linkSentPage(outcome));
  });
}

function verificationPages(server: Server, app: App) {
  const show = async (reply: FastifyReply, token: string, problem?: Problem) => {
    const pending = await pendingSignUpOf(app, token);
    if (!pending) return send(reply, pages.goneLinkPages.verification(), 404);
    return send(reply, pages.verifyEmailPage(token, pending, problem), problem?.status);
  };

  server.get('/verify-email', { schema }, ({ query }, reply) => show(reply, query.token));
  server.post('/verify-email', { schema: formSchema }, async (request, reply) => {
    const problem = await attempt(request, () => verifyEmail(app, checkInput(VerifyEmailForm, request.body), request));
    if (problem) return show(reply, request.body.token, problem);
    return send(
      reply,
      pages.donePage('Your account is ready', 'You can now sign in with your email address and password.'),
    );
  });
}

function emailChangePages(server: Server, app: App) {
  const show = async (reply: FastifyReply, token: string, problem?: Problem) => {
    const change = await emailChangeOf(app, token);
    if (!change) return send(reply, pages.goneLinkPages.emailChange(), 404);
    return send(reply, pages.confirmEmailPage(token, change, problem), problem?.status);
  };

  server.get('/confirm-email', { schema }, ({ query }, reply) => show(reply, query.token));
  server.post('/confirm-email', { schema: formSchema }, async (request, reply) => {
    const problem = await attempt(request, () => confirmEmailChange(app, request.body.token, request));
    if (problem) return show(reply, request.body.token, problem);
    return send(reply, pages.donePage('Email address changed', 'Sign in with your new email address from now on.'));
  });
}

function signUpPages(server: Server, app: App) {
  const show = async (reply: FastifyReply, token: string, problem?: Problem) => {
    if (token === '') {
      const open = { invitation: null, asksPassword: !verifiesAddresses(app.config) };
      return send(reply, pages.signUpPage(open, problem), problem?.status);
    }
    const invitation = await invitationOf(app, token);
    if (!invitation) return send(reply, pages.goneLinkPages.invitation(), 404);
    const invited = { invitation: { token, email: invitation.email }, asksPassword: true };
    return send(reply, pages.signUpPage(invited, problem), problem?.status);
  };

  server.get('/sign-up', { schema }, async (request, reply) => {
    const { token } = request.query;
    const refusal = token === '' ? await problemOf(() => requireOpenSignUp(app, app.db)) : null;
    return refusal ? send(reply, pages.signUpRefusedPage(refusal), refusal.status) : show(reply, token);
  });
  server.post('/sign-up', { schema: formSchema }, async (request, reply) => {
    const { token, ...person } = request.body;
    let isMailed = false;
    const problem = await attempt(request, async () => {
      const invited = token === '' ? {} : { token, email: (await invitationOf(app, token))?.email ?? person.email };
      isMailed = (await signUp(app, checkInput(SignUp, { ...person, ...invited }), request)) === null;
    });
    if (problem) return show(reply, token, problem);
    if (isMailed) return send(reply, pages.linkSentPage('Open the link in the email that we’ve sent to this address.'));
    return send(
      reply,
      pages.donePage('Your account is ready', 'You can now sign in with your email address and password.'),
    );
  });
}

const send = (reply: FastifyReply, html: string, status = 200) =>
  reply.code(status).type('text/html; charset=utf-8').send(html);

/** Runs the action of a form. Returns the problem if it was rejected. */
const attempt = (request: FastifyRequest, work: () => Promise<unknown>) =>
  problemOf(async () => {
    await request.countRate('password');
    await work();
  });

async function problemOf(work: () => Promise<unknown>): Promise<Problem | null> {
  try {
    await work();
    return null;
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}
