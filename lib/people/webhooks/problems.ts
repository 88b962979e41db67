/** Why a delivery got no answer, in the words of the API. The console translates them. */
export const problems = {
  timeout: 'No answer came within 10 seconds',
  refused: 'The connection was refused',
  reset: 'The connection was reset',
  unresolved: 'The name could not be resolved',
  noCreator: 'The creator of the webhook is deleted, disabled or locked',
  noEvents: 'The creator of the webhook may not view events',
  noSight: 'The creator of the webhook may not see this event',
} as const

type Problem = keyof typeof problems

export const problemNamed = (text: string): Problem | undefined =>
  (Object.keys(problems) as Problem[]).find((name) => problems[name] === text)
