// Another name of the budget, for code in which `Budget` is the name of a limit of an archive's
// size.

package typealias WorkBudget = Budget
