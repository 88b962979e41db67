import type { Problem, ProviderStep } from '#lib/people/federation/problems'

type Options = ErrorOptions & { step?: ProviderStep | undefined }

/** Why a sign-in through a provider failed. The reason for the log is the cause. */
export class SignInProblem extends Error {
  readonly problem: Problem
  readonly step: ProviderStep | undefined

  constructor(problem: Problem, { step, ...options }: Options = {}) {
    super(problem, options)
    this.problem = problem
    this.step = step
  }
}

/** The problem with the failed step of the sign-in, unless it already names one. */
export const inStep = (step: ProviderStep, { problem, cause, step: known }: SignInProblem): SignInProblem =>
  new SignInProblem(problem, { cause, step: known ?? step })
