import type { Problem, Step } from '#lib/federation/problems'

type Options = ErrorOptions & { step?: Step | undefined }

/** Why a sign-in by a provider came to nothing. The reason for the log is its cause. */
export class SignInProblem extends Error {
  readonly problem: Problem
  readonly step: Step | undefined

  constructor(problem: Problem, { step, ...options }: Options = {}) {
    super(problem, options)
    this.problem = problem
    this.step = step
  }
}

/** Says in which step of the sign-in the problem is, unless it says so already. */
export const inStep = (step: Step, { problem, cause, ...said }: SignInProblem): SignInProblem =>
  new SignInProblem(problem, { cause, step: said.step ?? step })
