export const apiReference = {
  title: 'API',
  about:
    'Every operation as the server declares it, in English. What you try here runs as you, with the session of this console.',
  loading: 'Loading the description of the API',
  value: 'Value',
} as const
