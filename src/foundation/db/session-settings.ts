/**
 * How soon the server ends a session whose machine lost power or was cut off. Nothing closes such a connection, and by
 * default the server would keep its locks for two hours. The last setting covers a process that is stuck on a machine
 * that still responds.
 */
export const setSession = `
  select set_config('tcp_keepalives_idle', '15', false), set_config('tcp_keepalives_interval', '5', false),
    set_config('tcp_keepalives_count', '3', false), set_config('tcp_user_timeout', '30000', false),
    set_config('idle_in_transaction_session_timeout', '120000', false)`;
