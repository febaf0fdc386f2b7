// Another name of the budget, for the module whose own `Budget` is a limit of an archive's size.

package typealias WorkBudget = Budget
